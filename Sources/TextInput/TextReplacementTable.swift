/// The user's text replacements, ready to be looked up.
public struct TextReplacementTable: Sendable, Equatable {
  private let texts: [String: String]

  /// A table of the entries that put another text in the place of what is typed. Of two entries for
  /// one input the first counts.
  public init(_ entries: [LexiconEntry] = []) {
    var texts: [String: String] = [:]
    for entry in entries
    where entry.userInput != entry.documentText && !entry.userInput.isEmpty
      && texts[entry.userInput] == nil
    {
      texts[entry.userInput] = entry.documentText
    }
    self.texts = texts
  }

  /// Whether there are none.
  public var isEmpty: Bool { texts.isEmpty }

  /// What stands in the document for a typed text. What is typed with a capital where the entry has
  /// a small letter, as at the start of a sentence, gives the text with a capital.
  public func text(for input: String) -> String? {
    if let text = texts[input] { return text }
    guard let first = input.first, first.isUppercase else { return nil }
    return texts[first.lowercased() + input.dropFirst()].map { Capitalization.titlecased($0) }
  }
}
