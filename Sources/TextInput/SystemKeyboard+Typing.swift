/// What is made of what the keys say. Each rule has its own setting, and is off where the field says
/// so (``TypingRules``).
///
/// - A space typed behind a space, which follows a word or a closing sign, makes a full stop of the
///   first.
/// - A word that the user wants replaced is replaced when a space, a line break or a sign ends it,
///   and a misspelt one is corrected (`SystemKeyboard+Words.swift`).
/// - `--` becomes a dash, a straight quote the quote that fits.
/// - A word selected whole takes one of the spaces around it along when it is deleted; a sign typed
///   behind a pick takes the place of the space that came with the pick.
///
/// Backspace right behind a replacement, a correction or a full stop takes that back and nothing else.
extension SystemKeyboard {
  /// The edits for one key's text.
  mutating func edits(
    typing text: String, _ document: TextDocument, _ traits: TextInputTraits
  ) -> [TextEdit] {
    // What is composed or selected is replaced by what is typed, as it is.
    guard document.markedText == nil, document.selectedText == nil else {
      trail = TypingTrail()
      trail.add(text)
      return [.insertText(text)]
    }
    let before = document.context().beforeInput
    if let edits = fullStop(text, before, traits) { return edits }
    if let edits = replacement(text, before, document, traits) { return edits }
    if trail.hasPickedSpace, Self.takesSpace(text), before.hasSuffix(" ") {
      trail.add(text)
      return [.deleteBackward, .insertText(text)]
    }
    if text == "-", allows(.smartDashes, traits), Self.endsInOneHyphen(before) {
      trail.run = ""
      trail.add("—")
      return [.deleteBackward, .insertText("—")]
    }
    let shown =
      allows(.smartQuotes, traits)
      ? configuration.quotes.replacement(for: text, after: before) ?? text : text
    trail.add(shown)
    return [.insertText(shown)]
  }

  /// The edits for the delete key.
  mutating func deletion(_ document: TextDocument, _ traits: TextInputTraits) -> [TextEdit] {
    defer { trail.endsWithSpace = false }
    if document.markedText != nil {
      trail = TypingTrail()
      return [.deleteBackward]
    }
    let context = document.context()
    if let selected = context.selectedText {
      trail = TypingTrail()
      guard allows(.smartInsertDelete, traits) else { return [.deleteBackward] }
      return [.deleteBackward] + Self.spaceAlong(with: selected, context)
    }
    if let substitution = trail.substitution, context.beforeInput.hasSuffix(substitution.inserted) {
      trail = TypingTrail()
      return Self.replacing(substitution.inserted, by: substitution.typed)
    }
    trail.substitution = nil
    trail.hasPickedSpace = false
    if !trail.run.isEmpty { trail.run.removeLast() }
    return [.deleteBackward]
  }

  static func replacing(_ old: String, by new: String) -> [TextEdit] {
    [TextEdit](repeating: .deleteBackward, count: old.count) + [.insertText(new)]
  }

  // MARK: Full stop

  private mutating func fullStop(
    _ text: String, _ before: String, _ traits: TextInputTraits
  ) -> [TextEdit]? {
    guard text == " ", trail.endsWithSpace, allows(.doubleSpaceFullStop, traits),
      before.hasSuffix(" "), let last = before.dropLast().last, Self.endsSentence(last)
    else { return nil }
    trail.add(text)
    // A third space is a space.
    trail.endsWithSpace = false
    trail.substitution = TypingTrail.Substitution(typed: "  ", inserted: ". ")
    return [.deleteBackward, .insertText(". ")]
  }

  /// Whether a full stop may stand behind a character: behind a word, a number, a closing sign, a
  /// picture.
  private static func endsSentence(_ character: Character) -> Bool {
    if character.isLetter || character.isNumber || ")]}\"'”’»›%°".contains(character) {
      return true
    }
    guard let first = character.unicodeScalars.first else { return false }
    return first.properties.isEmojiPresentation || first.properties.generalCategory == .otherSymbol
  }

  // MARK: Replacement

  private mutating func replacement(
    _ text: String, _ before: String, _ document: TextDocument, _ traits: TextInputTraits
  ) -> [TextEdit]? {
    guard !trail.run.isEmpty, Self.endsWord(text), before.hasSuffix(trail.run) else { return nil }
    let ahead = before.dropLast(trail.run.count)
    guard
      let (word, new) = expansion(of: trail.run, ahead: ahead, by: text, traits)
        ?? correction(in: document, traits)
    else { return nil }
    trail = TypingTrail()
    trail.substitution = TypingTrail.Substitution(typed: word + text, inserted: new + text)
    trail.endsWithSpace = text == " "
    return Self.replacing(word, by: new + text)
  }

  /// What stands for the word that ends the run, and the word.
  private func expansion(
    of run: String, ahead: Substring, by text: String, _ traits: TextInputTraits
  ) -> (word: String, new: String)? {
    guard allows(.textReplacement, traits), !configuration.replacements.isEmpty else { return nil }
    func lookUp(_ word: String) -> String? {
      guard let new = configuration.replacements.text(for: word) else { return nil }
      // A field that asks for ASCII gets nothing else.
      let isASCII = traits.keyboardType.value == .asciiCapable
      return isASCII && !new.utf8.allSatisfy { $0 < 0x80 } ? nil : new
    }
    // White space ends anything; a sign ends words, and may belong to anything else.
    if text.contains(where: \.isWhitespace), ahead.last?.isWhitespace ?? true, let new = lookUp(run)
    {
      return (run, new)
    }
    let word = Self.lastWord(of: run)
    let rest = run.dropLast(word.count)
    guard !word.isEmpty, let last = rest.last ?? ahead.last.map({ $0 }) else {
      return word.isEmpty ? nil : lookUp(word).map { (word, $0) }
    }
    guard last.isWhitespace || Self.opens(last) else { return nil }
    return lookUp(word).map { (word, $0) }
  }

  /// The letters, digits and apostrophes at the end.
  static func lastWord(of text: String) -> String {
    String(text.reversed().prefix(while: isInWord).reversed())
  }

  static func isInWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "'" || character == "’"
  }

  static func opens(_ character: Character) -> Bool {
    "([{<\"“‘„‚«‹「『¿¡—–\u{A0}".contains(character)
  }

  /// Whether a key ends the word before it.
  private static func endsWord(_ text: String) -> Bool {
    guard let first = text.first, text.count == 1 else { return false }
    return first.isWhitespace || ".,;:!?)]}\"…—".contains(first)
  }

  // MARK: Dashes and spaces

  private static func endsInOneHyphen(_ text: String) -> Bool {
    guard text.hasSuffix("-") else { return false }
    let last = text.dropLast().last
    return last.map { !"-–—".contains($0) } ?? true
  }

  /// Whether a sign stands at the word before it, without a space.
  static func takesSpace(_ text: String) -> Bool {
    text.count == 1 && text.first.map { ".,;:!?)]}…".contains($0) } ?? false
  }

  /// The edits that remove a space which a deleted selection leaves behind: when the selection was
  /// whole words, one of two spaces that met, one before a sign, or one at the start of a line.
  private static func spaceAlong(with selected: String, _ context: ContextWindow) -> [TextEdit] {
    guard let first = selected.first, let last = selected.last, isInWord(first), isInWord(last),
      !context.isTruncatedSelection
    else { return [] }
    let left = context.beforeInput.last
    let right = context.afterInput.first
    if left == " ", right == " " || right.map({ takesSpace(String($0)) }) ?? false {
      return [.deleteBackward]
    }
    if left?.isNewline ?? true, right == " " {
      return [.adjustTextPosition(byCharacterOffset: 1), .deleteBackward]
    }
    return []
  }
}
