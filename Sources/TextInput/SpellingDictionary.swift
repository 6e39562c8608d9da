/// The words of a language. Used by one thread, which it may keep waiting.
public protocol SpellingDictionary: AnyObject {
  /// Whether a word is spelt right.
  func isCorrect(_ word: String) -> Bool
  /// Words that may have been meant, the likeliest first.
  func suggestions(for word: String) -> [String]
}
