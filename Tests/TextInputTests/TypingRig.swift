import Testing

@testable import TextInput

/// A person who looks at the system keyboard's keys and types on them.
struct TypingRig {
  var keyboard: SystemKeyboard
  var document: TextDocument
  var traits: TextInputTraits
  var time: UInt64 = 0
  private(set) var layout: KeyboardLayout

  init(
    _ text: String = "", _ traits: TextInputTraits = TextInputTraits(), language: String? = nil,
    replacements: [String: String] = [:], capitals: Bool = false,
    _ change: (inout SystemKeyboardSettings) -> Void = { _ in }
  ) {
    var settings = SystemKeyboardSettings()
    settings[.capitalization] = capitals
    change(&settings)
    keyboard = SystemKeyboard(
      configuration: SystemKeyboardConfiguration(
        settings: settings, language: language,
        lexicon: replacements.map { LexiconEntry(userInput: $0.key, documentText: $0.value) }))
    document = TextDocument(text)
    self.traits = traits
    layout = keyboard.currentLayout(in: document, traits: traits)
  }

  @discardableResult
  mutating func handle(_ event: InputEvent) throws -> Transaction {
    time += 1_000
    let transaction = keyboard.handle(
      event, in: document, traits: traits, layout: layout, at: time)
    try document.apply(transaction.edits)
    // What the transaction says and what is shown next are the same keys.
    let shown = keyboard.currentLayout(in: document, traits: traits)
    #expect((transaction.layout ?? layout) == shown)
    layout = shown
    return transaction
  }

  /// Taps the keys for a text; `⌫` is the delete key.
  mutating func type(_ text: String) throws {
    for character in text { try press(character) }
  }

  private mutating func press(_ character: Character) throws {
    let keys: (Key) -> Bool =
      switch character {
      case "⌫": { $0.role == .delete }
      case "\n": { $0.role == .return }
      default: { $0.insertText == String(character) }
      }
    for _ in 0..<4 {
      if let key = layout.rows.joined().first(where: keys) {
        try handle(.tap(key: key.id))
        return
      }
      if layout.key(typing: character.uppercased()) != nil
        || layout.key(typing: character.lowercased()) != nil
      {
        try handle(.tap(key: "system.shift"))
      } else {
        let plane = SystemKeyboard.planeKeys(for: character).first { layout.key(id: $0) != nil }
        try handle(.tap(key: try #require(plane, "no key types \(character)")))
      }
    }
    Issue.record("no key types \(character)")
  }

  var text: String { document.text }
}

/// What a field holds after a text was typed into it, key by key.
func typed(
  _ keys: String, after text: String = "", _ traits: TextInputTraits = TextInputTraits(),
  language: String? = nil, replacements: [String: String] = [:],
  _ change: (inout SystemKeyboardSettings) -> Void = { _ in }
) throws -> String {
  var rig = TypingRig(text, traits, language: language, replacements: replacements, change)
  try rig.type(keys)
  return rig.text
}

/// Traits with a type or content.
func field(
  _ type: KeyboardType? = nil, content: TextContentType? = nil
) -> TextInputTraits {
  var traits = TextInputTraits()
  if let type { traits.keyboardType = .known(type) }
  if let content { traits.textContentType = .known(content) }
  return traits
}
