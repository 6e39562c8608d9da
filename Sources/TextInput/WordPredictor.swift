/// Answers questions about words, from the user's lexicon, common words and a dictionary.
///
/// Nothing is learned: an answer depends on the question, the lexicon and the dictionary alone.
///
/// A word is corrected when it consists of letters and apostrophes, has no capital but its first
/// letter, is neither in the dictionary nor in the lexicon, and a candidate is near enough. How far
/// a candidate is off is counted without regard to capitals and apostrophes: none for words of one or
/// two letters (`i`, `im`), one change up to five letters, two from six on; a change is a letter
/// more, less or another, or two neighbours that change places. The first letter stays, or changes
/// places with the second. Of the candidates the nearest is taken; among equals one of the lexicon,
/// then a common word, then the first that the dictionary names. A candidate of two words is
/// suggested, but the word does not become it.
public struct WordPredictor: Sendable {
  private struct Known: Sendable {
    var text: String
    var folded: [Character]
  }

  private let lexicon: [Known]
  private let common: [Known]
  private let replacements: TextReplacementTable

  /// Makes a predictor.
  /// - Parameters:
  ///   - lexicon: names and words, and text replacements.
  ///   - language: the language of the common words, as a BCP 47 tag.
  public init(lexicon: [LexiconEntry] = [], language: String? = nil) {
    self.lexicon = lexicon.filter { $0.userInput == $0.documentText }.map {
      Self.known($0.userInput)
    }
    replacements = TextReplacementTable(lexicon)
    common = CommonWords.words(language: language).map(Self.known)
  }

  private static func known(_ text: String) -> Known { Known(text: text, folded: folded(text)) }

  /// A word in small letters, without apostrophes.
  private static func folded(_ word: String) -> [Character] {
    word.lowercased().filter { $0 != "'" && $0 != "’" }.map { $0 }
  }

  /// The answer to a question.
  public func answer(
    _ question: WordQuestion, dictionary: (any SpellingDictionary)?
  ) -> WordAnswer {
    let word = question.word
    guard !word.isEmpty, word.utf8.count <= WordQuestion.maximumBytes else {
      return WordAnswer(word: word)
    }
    let folded = Self.folded(word)
    let lexicon = question.allowsLexicon ? lexicon : []
    var misspelt: [String]?
    if let dictionary, question.wantsCorrection, Self.isCorrectable(word),
      !lexicon.contains(where: { $0.text == word }), !dictionary.isCorrect(word)
    {
      misspelt = dictionary.suggestions(for: word)
    }
    let correction =
      question.wantsCorrection && isLoneCapital(word)
      ? word.uppercased() : misspelt.flatMap { nearest(to: word, folded, lexicon, from: $0) }
    var found: [String] = []
    func add(_ text: String) {
      let shown = Self.cased(text, like: word)
      if shown != word, !found.contains(shown) { found.append(shown) }
    }
    if let correction {
      found = [word, correction]
    }
    if question.wantsPrediction {
      if question.allowsLexicon, let text = replacements.text(for: word),
        !text.contains(where: \.isNewline)
      {
        found.append(text)
      }
      for entry in lexicon where entry.folded.starts(with: folded) { add(entry.text) }
      for entry in common
      where entry.folded.count > folded.count && entry.folded.starts(with: folded) {
        add(entry.text)
      }
      for text in misspelt ?? [] { add(text) }
    }
    return WordAnswer(word: word, correction: correction, suggestions: found)
  }

  /// Whether a letter is a word as a capital only, which dictionaries do not say: `i`.
  private func isLoneCapital(_ word: String) -> Bool {
    let capital = word.uppercased()
    return word.count == 1 && capital != word && common.contains { $0.text == capital }
      && !common.contains { $0.text == word }
  }

  private static func isCorrectable(_ word: String) -> Bool {
    word.allSatisfy { $0.isLetter || $0 == "'" || $0 == "’" }
      && !word.dropFirst().contains(where: \.isUppercase) && word.contains(where: \.isLetter)
  }

  private func nearest(
    to word: String, _ folded: [Character], _ lexicon: [Known], from dictionary: [String]
  ) -> String? {
    let limit = folded.count <= 2 ? 0 : folded.count <= 5 ? 1 : 2
    var best: (text: String, distance: Int)?
    func consider(_ text: String, _ candidate: [Character]) {
      guard !text.contains(where: { $0.isWhitespace || $0 == "-" }), text != word,
        Self.keepsStart(folded, candidate),
        let distance = EditDistance.between(folded, candidate, limit: limit),
        distance < best?.distance ?? .max
      else { return }
      best = (text, distance)
    }
    for entry in lexicon { consider(entry.text, entry.folded) }
    for entry in common { consider(entry.text, entry.folded) }
    for text in dictionary { consider(text, Self.folded(text)) }
    return best.map { Self.cased($0.text, like: word) }
  }

  private static func keepsStart(_ one: [Character], _ other: [Character]) -> Bool {
    guard let first = one.first, let start = other.first else { return false }
    return first == start
      || one.count > 1 && other.count > 1 && one[1] == start && other[1] == first
  }

  /// A word with a capital where the typed one has one.
  private static func cased(_ text: String, like word: String) -> String {
    word.first?.isUppercase == true ? Capitalization.titlecased(text) : text
  }
}
