/// What the system keyboard remembers of the last keys of a field.
struct TypingTrail: Sendable, Equatable {
  /// A text that was put in the place of what was typed, for the next key to take back.
  struct Substitution: Sendable, Equatable {
    /// What would stand there.
    var typed: String
    /// What stands there, up to the cursor.
    var inserted: String
  }

  /// The longest run that is remembered, in bytes of UTF-8.
  static let longestRun = 256

  /// What was typed key by key up to the cursor, without white space. Only this is ever replaced or
  /// corrected, so that nothing is that a replacement, a pick or an app put there.
  var run = ""
  /// Whether the last key typed a space.
  var endsWithSpace = false
  /// What the last key replaced.
  var substitution: Substitution?
  /// Whether the space before the cursor came with a pick, and not from the user.
  var hasPickedSpace = false

  /// Another piece of text was typed as it is.
  mutating func add(_ text: String) {
    let isSpace = text == " "
    if text.contains(where: \.isWhitespace) || run.utf8.count + text.utf8.count > Self.longestRun {
      run = ""
    } else {
      run += text
    }
    endsWithSpace = isSpace
    substitution = nil
    hasPickedSpace = false
  }
}
