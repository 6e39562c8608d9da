/// What a keyboard sees of a field: the text around the cursor, bounded.
///
/// The marked text is in neither side: the text of the field is `beforeInput`, then `markedText` or
/// `selectedText`, then `afterInput`.
public struct ContextWindow: Sendable, Equatable {
  /// The most bytes of UTF-8 a side, the selection or the marked text has; cut at the boundary of a
  /// grapheme cluster.
  public static let maximumBytes = 1024

  /// The text before the cursor, the selection or the marked text.
  public var beforeInput: String
  /// The text after it.
  public var afterInput: String
  /// The selected text, nil when nothing is selected.
  public var selectedText: String?
  /// The text being composed, nil when there is none.
  public var markedText: String?
  /// Whether there is more text before `beforeInput`.
  public var isTruncatedBefore: Bool
  /// Whether there is more text after `afterInput`.
  public var isTruncatedAfter: Bool
  /// Whether `selectedText` is only the beginning of the selection.
  public var isTruncatedSelection: Bool

  /// Makes a window.
  public init(
    beforeInput: String = "", afterInput: String = "", selectedText: String? = nil,
    markedText: String? = nil, isTruncatedBefore: Bool = false, isTruncatedAfter: Bool = false,
    isTruncatedSelection: Bool = false
  ) {
    self.beforeInput = beforeInput
    self.afterInput = afterInput
    self.selectedText = selectedText
    self.markedText = markedText
    self.isTruncatedBefore = isTruncatedBefore
    self.isTruncatedAfter = isTruncatedAfter
    self.isTruncatedSelection = isTruncatedSelection
  }
}
