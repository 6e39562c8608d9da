/// The word that is being typed: what is asked about it, and what comes of the answer.
///
/// The keyboard never waits. Whoever owns it asks, after a key was handled, and gives it the answer
/// when that comes; an answer for a text that has changed meanwhile counts for nothing.
extension SystemKeyboard {
  /// What to ask about the word before the cursor; nil when there is none that was typed key by key,
  /// or the field or the user wants no help with it.
  public mutating func question(
    in document: TextDocument, traits: TextInputTraits
  ) -> WordQuestion? {
    follow(document, traits)
    let corrects = allows(.autocorrection, traits)
    let predicts = allows(.prediction, traits) && settings.maximumSuggestions > 0
    guard corrects || predicts, !trail.run.isEmpty, document.markedText == nil,
      document.selectedText == nil
    else { return nil }
    let context = document.context()
    let word = Self.lastWord(of: trail.run)
    guard !word.isEmpty, word.utf8.count <= WordQuestion.maximumBytes,
      context.beforeInput.hasSuffix(trail.run),
      context.beforeInput.dropLast(word.count).last.map({ $0.isWhitespace || Self.opens($0) })
        ?? true,
      !(context.afterInput.first.map(Self.isInWord) ?? false)
    else { return nil }
    return WordQuestion(
      word: Self.straight(word), wantsCorrection: corrects, wantsPrediction: predicts,
      allowsLexicon: TypingRules.allowsLexicon(in: traits))
  }

  /// Takes the answer to the question that the document leads to. One to another question is dropped.
  public mutating func take(
    _ answer: WordAnswer, in document: TextDocument, traits: TextInputTraits
  ) {
    guard let question = question(in: document, traits: traits), question.word == answer.word else {
      return
    }
    var bar = SuggestionBar(maximum: settings.maximumSuggestions)
    bar.set(answer.suggestions)
    var allowed = answer
    if !question.wantsCorrection { allowed.correction = nil }
    proposal = WordProposal(revision: document.revision, answer: allowed, bar: bar)
  }

  /// What the bar shows for a document as it is now.
  public func suggestions(for document: TextDocument) -> [String] {
    guard let proposal, proposal.revision == document.revision else { return [] }
    return proposal.bar.items
  }

  /// What the word before the cursor becomes at its end, and that word.
  func correction(
    in document: TextDocument, _ traits: TextInputTraits
  ) -> (word: String, new: String)? {
    guard let proposal, proposal.revision == document.revision, allows(.autocorrection, traits),
      let correction = proposal.answer.correction
    else { return nil }
    let word = Self.lastWord(of: trail.run)
    guard Self.straight(word) == proposal.answer.word, isWelcome(correction, traits) else {
      return nil
    }
    return (word, typographic(correction, traits))
  }

  /// The edits for a pick from this keyboard's own bar: the word before the cursor becomes what was
  /// picked, with a space behind it. Nil when the bar does not show that.
  mutating func edits(
    picking text: String, _ document: TextDocument, _ traits: TextInputTraits
  ) -> [TextEdit]? {
    guard suggestions(for: document).contains(text), isWelcome(text, traits) else { return nil }
    let context = document.context()
    let word = Self.lastWord(of: trail.run)
    let next = context.afterInput.first
    let hasSpace =
      allows(.smartInsertDelete, traits)
      && !(next.map { $0.isWhitespace || Self.takesSpace(String($0)) } ?? false)
    let shown = typographic(text, traits) + (hasSpace ? " " : "")
    trail = TypingTrail()
    trail.hasPickedSpace = hasSpace
    proposal = nil
    return Self.replacing(word, by: shown)
  }

  /// A field that asks for ASCII gets nothing else.
  private func isWelcome(_ text: String, _ traits: TextInputTraits) -> Bool {
    traits.keyboardType.value != .asciiCapable || text.utf8.allSatisfy { $0 < 0x80 }
  }

  private static func straight(_ word: String) -> String {
    String(word.map { $0 == "’" ? "'" : $0 })
  }

  private func typographic(_ text: String, _ traits: TextInputTraits) -> String {
    guard allows(.smartQuotes, traits) else { return text }
    return String(text.map { $0 == "'" ? "’" : $0 })
  }
}
