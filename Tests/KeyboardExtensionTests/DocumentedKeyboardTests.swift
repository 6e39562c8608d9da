import PluginProtocol
import TestSupport
import Testing

@testable import KeyboardExtension

// The keyboard of docs/swift-keyboards.md, word for word.
final class Vowels: InputViewController {
  private var isShifted = false

  override func viewDidLoad() { show() }

  override func keyTapped(_ key: Key) {
    if key.role == .shift {
      isShifted.toggle()
      return show()
    }
    super.keyTapped(key)
    let word = textDocumentProxy.documentContextBeforeInput?.split(separator: " ").last
    if key.role == .space, let word { suggestions.add(String(word)) }
  }

  override func swiped(_ direction: SwipeDirection, count: Int) {
    let steps = direction == .left ? -count : direction == .right ? count : 0
    textDocumentProxy.adjustTextPosition(byCharacterOffset: steps)
  }

  private func show() {
    let vowels = isShifted ? ["A", "E", "I", "O", "U"] : ["a", "e", "i", "o", "u"]
    layout = KeyboardLayout(rows: [
      vowels.map { Key(id: $0, label: $0, insertText: $0) },
      [
        Key(id: "shift", label: "⇧", role: .shift),
        Key(
          id: "space", label: settings.string(forKey: "space") ?? "space", role: .space, width: 3),
        Key(id: "delete", label: "⌫", role: .delete),
        Key(id: "next", label: "⌨", role: .nextKeyboard),
      ],
    ])
  }
}

@Suite("The page for keyboards in Swift")
struct DocumentedKeyboardTests {
  private let page: String
  init() throws { page = try SourceTree.contents(of: "docs/swift-keyboards.md") }

  @Test("shows the keyboard that is compiled here, and it does what is said of it")
  func keyboard() throws {
    let code = try #require(page.components(between: "```swift\n", and: "```").first)
    let source = try SourceTree.contents(
      of: "Tests/KeyboardExtensionTests/DocumentedKeyboardTests.swift")
    #expect(source.contains(code.dropFirst("import KeyboardExtension\n\n".count)))

    let host = try SessionUnderTest(Vowels())
    var state = FieldState(
      documentIdentifier: "d", revision: 0, context: ContextWindow(beforeInput: "oui"))
    try host.send(.focus(state))
    let space = try host.event(.tap(key: "space"), state)
    #expect(space.0?.edits == [.insertText(" ")])
    #expect(space.0?.suggestions == ["oui"])
    state.revision = 1
    let shift = try host.event(.tap(key: "shift"), state)
    #expect(shift.0?.layout?.key(typing: "A") != nil)
    #expect(try host.event(.tap(key: "A"), state).0?.edits == [.insertText("A")])
    #expect(
      try host.event(.swipe(.left, count: 2), state).0?.edits
        == [.adjustTextPosition(byCharacterOffset: -2)])
  }

  @Test("names every call, every role and every value that an author can use")
  func names() throws {
    var names = KeyRole.allCases.map(\.rawValue) + ChangeCause.allCases.map(\.rawValue)
    for file in [
      "InputViewController", "InputViewController+Run", "TextDocumentProxy", "KeyboardSettings",
      "../TextInput/SuggestionBar",
    ] {
      let source = try SourceTree.contents(of: "Sources/KeyboardExtension/\(file).swift")
      names += source.split(separator: "\n").compactMap { Self.publicName($0) }
    }
    #expect(names.count > 70)
    for name in names {
      #expect(page.contains("`\(name)"), "\(name) is not named")
    }
  }

  /// What a line of source declares for others, or nil.
  private static func publicName(_ line: Substring) -> String? {
    let words = line.split(whereSeparator: { " (:[".contains($0) }).map(String.init)
    guard words.contains("public") || words.first == "open",
      let keyword = words.firstIndex(where: { ["func", "var", "let"].contains($0) }),
      keyword + 1 < words.count
    else { return nil }
    return words[keyword + 1]
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let from = rest.firstRange(of: start) {
      rest = rest[from.upperBound...]
      guard let to = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<to.lowerBound]))
      rest = rest[to.upperBound...]
    }
    return found
  }
}
