/// One edit of a text at its cursor. All lengths are in grapheme clusters.
public enum TextEdit: Sendable, Equatable {
  /// Replaces the marked text, or else the selection, or else nothing, and leaves the cursor after
  /// the inserted text.
  case insertText(String)
  /// Removes the selection, or else one grapheme cluster before the cursor.
  case deleteBackward
  /// Moves the cursor, towards the end when positive; it stops at the ends of the text.
  case adjustTextPosition(byCharacterOffset: Int)
  /// Replaces the marked text, or else the selection, with text that is still being composed.
  /// The range, in clusters of the marked text, is where its own cursor or selection stands.
  case setMarkedText(String, selectedRange: Range<Int>)
  /// Makes the marked text ordinary text.
  case unmarkText
}
