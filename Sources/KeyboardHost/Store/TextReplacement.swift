/// One of the user's text replacements: what is typed, and what is put in its place.
public struct TextReplacement: Sendable, Equatable {
  public var userInput: String
  public var documentText: String

  public init(userInput: String, documentText: String) {
    self.userInput = userInput
    self.documentText = documentText
  }
}
