import PluginProtocol
import Testing

@testable import HabraKeyboard
@testable import KeyboardExtension

/// A host with one field: it applies what the keyboard answers and tells it what changed.
final class TypingHost {
  let session: SessionUnderTest
  var document: TextDocument
  private(set) var layout: KeyboardLayout
  private(set) var actions: [KeyboardAction] = []

  init(_ keyboard: InputViewController, settings: [Setting] = [], text: String = "") throws {
    session = try SessionUnderTest(keyboard, settings: settings)
    layout = keyboard.layout
    document = TextDocument(text)
    try session.send(.focus(state))
  }

  var state: FieldState {
    FieldState(
      documentIdentifier: "d", revision: document.revision, context: document.context())
  }

  func event(_ event: InputEvent) throws {
    let (transaction, rest) = try session.event(event, state)
    let answer = try #require(transaction)
    try apply(answer)
    try follow(
      session.send(
        .change(state, cause: .keyboard, textChanged: true, selectionChanged: true)) + rest)
  }

  /// Serves the requests that the keyboard makes of its own accord.
  private func follow(_ messages: [PluginMessage]) throws {
    var waiting = messages
    while !waiting.isEmpty {
      guard case .transaction(let id, "d", let revision, let transaction) = waiting.removeFirst()
      else { throw ProtocolError(message: "not a transaction") }
      let applied = revision == document.revision
      if applied { try apply(transaction) }
      waiting += try session.send(.transactionReply(id: id, applied: applied, state))
    }
  }

  private func apply(_ transaction: Transaction) throws {
    try document.apply(transaction.edits)
    actions += transaction.actions
    layout = transaction.layout ?? layout
  }

  func tap(_ keys: String...) throws {
    for key in keys { try event(.tap(key: key)) }
  }

  /// Taps the keys that type these letters, as the layout shows them.
  func type(_ text: String) throws {
    for letter in text {
      let key = try #require(layout.key(typing: String(letter)), "no key types \(letter)")
      try event(.tap(key: key.id))
    }
  }

  /// The text with the cursor as a bar.
  var shown: String {
    var marked = document
    try? marked.apply([.insertText("|")])
    return marked.text
  }
}

@Suite("The tag keyboard")
struct HabraKeyboardTests {
  @Test("types a comment with tags, with the cursor between them")
  func comment() throws {
    let host = try TypingHost(HabraKeyboard())
    try host.tap("tag.b")
    #expect(host.shown == "<b>|</b>")
    try host.tap("shift")
    try host.type("N")
    try host.type("ice")
    try host.event(.swipe(.right, count: 4))
    try host.type(" one")
    #expect(host.shown == "<b>Nice</b> one|")
    try host.tap("symbols")
    try host.type("!")
    try host.tap("letters", "return", "tag.a")
    #expect(host.shown == "<b>Nice</b> one!\n<a href=\"\">|</a>")
    try host.event(.swipe(.left, count: 2))
    #expect(host.shown == "<b>Nice</b> one!\n<a href=\"|\"></a>")
    try host.event(.swipe(.up, count: 1))
    #expect(host.shown == "<b>Nice</b> one!\n|<a href=\"\"></a>")
    try host.event(.swipe(.down, count: 1))
    #expect(host.shown == "<b>Nice</b> one!\n<a href=\"\"></a>|")
    try host.tap("delete")
    #expect(host.shown == "<b>Nice</b> one!\n<a href=\"\"></a|")
    try host.tap("dismiss", "next")
    #expect(host.actions == [.dismissKeyboard, .advanceToNextInputMode])
  }

  @Test("has a key for every tag in both of its alphabets, and all its layouts can be shown")
  func layouts() throws {
    let host = try TypingHost(HabraKeyboard())
    for key in ["shift", "shift", "language", "symbols", "language"] {
      try host.tap(key)
      try host.layout.validate()
      for tag in Tag.fixed { #expect(host.layout.key(id: tag.keyIdentifier) != nil) }
    }
    try host.tap("language")
    try host.type("привет")
    #expect(host.document.text == "привет")
    try host.event(.longPress(key: "shift"))
    try host.type("ДА")
    try host.tap("shift")
    try host.type("ю")
    #expect(host.document.text == "приветДАю")
  }

  @Test("has two tags from the settings, also while it runs, and none that is no tag's name")
  func settings() throws {
    let host = try TypingHost(
      HabraKeyboard(),
      settings: [Setting("firstTag", .string("sup")), Setting("secondTag", .string("<script>"))])
    try host.tap("tag.firstTag", "tag.secondTag")
    #expect(host.shown == "<sup><spoiler>|</spoiler></sup>")
    #expect(host.layout.key(id: "tag.firstTag")?.insertText == "<sup></sup>")
    try host.session.send(.settings([Setting("firstTag", .string("pre"))]))
    try host.tap("tag.firstTag")
    #expect(host.shown == "<sup><spoiler><pre>|</pre></spoiler></sup>")
    for name in ["", "a b", "1x", "é", "a>b", String(repeating: "x", count: 17)] {
      #expect(Tag(id: "x", name: name) == nil)
    }
  }

  @Test("puts a selection between the tags, and loses none that it sees only in part")
  func selection() throws {
    let host = try TypingHost(HabraKeyboard(), text: "one two three")
    host.document.select(4..<7)
    try host.tap("tag.i")
    #expect(host.shown == "one <i>two|</i> three")
    let long = String(repeating: "x", count: 3000)
    host.document.replaceText(long, selection: 0..<3000)
    try host.tap("tag.i")
    #expect(host.shown == long + "<i>|</i>")
  }

  @Test("deletes all by a long press, however long the text is", arguments: [0, 1, 300, 9000])
  func deletesAll(count: Int) throws {
    for cursor in [0, count / 2, count] {
      let host = try TypingHost(HabraKeyboard(), text: String(repeating: "👩‍👩‍👧", count: count))
      host.document.select(cursor..<cursor)
      try host.event(.longPress(key: "delete"))
      #expect(host.document.isEmpty)
      // It stops with that: what is typed now stays.
      try host.type("a")
      #expect(host.document.text == "a")
    }
    let host = try TypingHost(HabraKeyboard(), text: "one two")
    host.document.select(0..<3)
    try host.event(.longPress(key: "delete"))
    #expect(host.document.isEmpty)
  }

  @Test("takes the keys of a hardware keyboard and leaves shortcuts to the app")
  func hardware() throws {
    let host = try TypingHost(HabraKeyboard())
    for letter in "Hié" { try host.event(.hardwareKey(HardwareKey(characters: String(letter)))) }
    for name in ["BackSpace", "Left", "Right", "Return"] {
      try host.event(.hardwareKey(HardwareKey(characters: "", name: name)))
    }
    #expect(host.document.text == "Hi\n")
    let shortcut = HardwareKey(characters: "c", name: "c", modifiers: [.control])
    #expect(try host.session.event(.hardwareKey(shortcut), host.state).0 == nil)
  }
}
