/// What is known about a word that is being typed.
public struct WordAnswer: Sendable, Equatable {
  /// The word that the answer is for.
  public var word: String
  /// What the word becomes at its end; nil when it stays.
  public var correction: String?
  /// Words to suggest, distinct, the likeliest first. When there is a correction the word as it was
  /// typed comes first, so that it can be kept, and the correction second.
  public var suggestions: [String]

  /// Makes an answer.
  public init(word: String, correction: String? = nil, suggestions: [String] = []) {
    self.word = word
    self.correction = correction
    self.suggestions = suggestions
  }
}
