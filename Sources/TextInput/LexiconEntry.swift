/// One entry of the supplementary lexicon, as `UILexiconEntry`.
public struct LexiconEntry: Sendable, Equatable {
  /// What the user types.
  public var userInput: String
  /// What stands in the document for it.
  public var documentText: String

  /// Makes an entry.
  public init(userInput: String, documentText: String) {
    self.userInput = userInput
    self.documentText = documentText
  }
}
