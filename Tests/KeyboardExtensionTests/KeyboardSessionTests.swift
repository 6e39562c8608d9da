import PluginProtocol
import StrictJSON
import Testing

@testable import KeyboardExtension

/// A keyboard that notes what it is told.
final class NotingKeyboard: InputViewController {
  var notes: [String] = []
  var onTap: ((NotingKeyboard, Key) -> Void)?

  override func viewDidLoad() {
    layout = KeyboardLayout(rows: [
      [
        Key(id: "a", label: "a", insertText: "a"), Key(id: "d", label: "d", role: .delete),
        Key(id: "x", label: "x", role: .custom), Key(id: "hide", label: "h", role: .dismiss),
      ]
    ])
    takesHardwareKeys = true
    notes.append("load \(hasFullAccess) \(settings.string(forKey: "tag") ?? "-")")
  }
  override func viewWillAppear() { notes.append("appear") }
  override func viewDidDisappear() { notes.append("disappear") }
  override func textWillChange(_ cause: ChangeCause) { note("textWill \(cause)") }
  override func textDidChange(_ cause: ChangeCause) { note("textDid \(cause)") }
  override func selectionWillChange(_ cause: ChangeCause) { note("selectionWill \(cause)") }
  override func selectionDidChange(_ cause: ChangeCause) { note("selectionDid \(cause)") }
  override func traitsDidChange() { note("traits") }
  override func settingsDidChange() { notes.append("settings \(settings.keys)") }
  override func environmentDidChange() { notes.append("width \(environment.width)") }
  override func editsWereRefused() { note("refused") }
  override func keyTapped(_ key: Key) {
    if let onTap { onTap(self, key) } else { super.keyTapped(key) }
  }
  override func hardwareKeyPressed(_ key: HardwareKey) -> Bool {
    textDocumentProxy.insertText(key.characters)
    dismissKeyboard()
    return key.characters == "k"
  }

  private func note(_ text: String) {
    notes.append("\(text) \(textDocumentProxy.documentContextBeforeInput ?? "nil")")
  }
}

/// A session whose host is the test.
final class SessionUnderTest {
  let keyboard: InputViewController
  let session: KeyboardSession
  private var eventCount: Int64 = 0

  init(_ keyboard: InputViewController, settings: [Setting] = []) throws {
    self.keyboard = keyboard
    session = KeyboardSession(keyboard)
    let answers = try send(
      .initialize(
        id: 0,
        InitializeRequest(
          hostVersion: "1", keyboardIdentifier: "k", hasFullAccess: true, settings: settings)))
    guard case .response(0, let value)? = answers.first, answers.count == 1 else {
      throw ProtocolError(message: "no answer to initialize")
    }
    _ = try InitializeResult(decoding: value)
  }

  @discardableResult func send(_ message: HostMessage) throws -> [PluginMessage] {
    try session.receive(Array(message.encoded().dropLast()))
    return try answers()
  }

  func answers() throws -> [PluginMessage] {
    var framer = LineFramer()
    framer.append(session.takeOutput())
    var result: [PluginMessage] = []
    while let line = try framer.next() { result.append(try PluginMessage.decode(line)) }
    #expect(!framer.hasPartialLine)
    return result
  }

  /// The answer to an event, and what came besides it.
  func event(
    _ event: InputEvent, _ state: FieldState
  ) throws -> (Transaction?, rest: [PluginMessage]) {
    eventCount += 1
    var all = try send(.event(id: eventCount, state, event))
    switch all.removeFirst() {
    case .response(eventCount, let value): return (try Transaction(decoding: value), all)
    case .errorResponse(eventCount, PluginMessage.declined, _): return (nil, all)
    default: throw ProtocolError(message: "the first message is no answer to the event")
    }
  }
}

private func field(
  _ before: String, _ after: String = "", revision: UInt64 = 1, id: String = "d1"
) -> FieldState {
  FieldState(
    documentIdentifier: id, revision: revision,
    context: ContextWindow(beforeInput: before, afterInput: after))
}

@Suite("A keyboard's session")
struct KeyboardSessionTests {
  @Test("collects the pages of contacts, and hears of a location or why there is none")
  func services() throws {
    let keyboard = InputViewController()
    keyboard.layout = KeyboardLayout(rows: [[Key(id: "a", label: "a", insertText: "a")]])
    let host = try SessionUnderTest(keyboard)
    var contacts: [Result<[Contact], ServiceError>] = []
    var locations: [Result<Location, ServiceError>] = []
    host.session.perform {
      keyboard.contactStore.fetchContacts { contacts.append($0) }
      keyboard.locationManager.requestLocation { locations.append($0) }
    }
    let asked = try host.answers()
    guard case .contacts(let first, 0)? = asked.first, case .location(let second)? = asked.last
    else {
      Issue.record("\(asked)")
      return
    }
    let page = ContactsPage(contacts: [Contact(givenName: "Ada")], total: 2, nextOffset: 1)
    guard case .contacts(let third, 1)? = try host.send(.contactsReply(id: first, page)).first
    else {
      Issue.record("the second page is not asked for")
      return
    }
    #expect(contacts.isEmpty)
    let last = ContactsPage(contacts: [Contact(givenName: "Grace")], total: 2)
    #expect(try host.send(.contactsReply(id: third, last)).isEmpty)
    #expect(try contacts.first?.get().map(\.givenName) == ["Ada", "Grace"])
    let place = try #require(
      Location(latitude: 1, longitude: 2, horizontalAccuracy: 3, timestamp: 4))
    try host.send(.locationReply(id: second, place))
    #expect(try locations.first?.get() == place)
    host.session.perform { keyboard.contactStore.fetchContacts { contacts.append($0) } }
    guard case .contacts(let fourth, 0)? = try host.answers().first else {
      Issue.record("a second fetch is not asked for")
      return
    }
    try host.send(.failure(id: fourth, code: PluginMessage.notAuthorized, message: "no"))
    #expect(contacts.last == .failure(ServiceError(code: -32010, message: "no")))
    // Nobody asked for these.
    try host.send(.contactsReply(id: 99, last))
    try host.send(.locationReply(id: 98, place))
    #expect(contacts.count == 2 && locations.count == 1)
  }

  @Test("tells the keyboard what happens, with the old text before and the new one after")
  func callbacks() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard, settings: [Setting("tag", .string("b"))])
    var focused = field("one")
    focused.traits = TextInputTraits()
    try host.send(.focus(focused))
    try host.send(
      .change(field("two", revision: 2), cause: .app, textChanged: true, selectionChanged: true))
    try host.send(.settings([Setting("x", .bool(true))]))
    try host.send(.environment(LayoutEnvironment(width: 500)))
    try host.send(.blur)
    #expect(
      keyboard.notes == [
        "load true b", "appear", "traits one", "textWill app one", "selectionWill app one",
        "textDid app two", "selectionDid app two", "settings [\"x\"]", "width 500", "disappear",
      ])
    #expect(keyboard.textDocumentProxy.documentIdentifier == nil)
    #expect(keyboard.textDocumentProxy.insertText("x") == false)
  }

  @Test("answers an event with all that the keyboard did for it")
  func transaction() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    #expect(try host.event(.tap(key: "a"), field("")).0 == Transaction(edits: [.insertText("a")]))
    #expect(try host.event(.longPress(key: "d"), field("a")).0?.edits == [.deleteBackward])
    #expect(try host.event(.tap(key: "hide"), field("a")).0?.actions == [.dismissKeyboard])
    let new = KeyboardLayout(rows: [[Key(id: "n", label: "n", insertText: "n")]])
    keyboard.onTap = { keyboard, key in
      let proxy = keyboard.textDocumentProxy
      proxy.insertText("<b></b>")
      // In force at once: the cursor can move in the same breath.
      #expect(proxy.documentContextBeforeInput == "x<b></b>")
      proxy.adjustTextPosition(byCharacterOffset: -4)
      #expect(proxy.documentContextBeforeInput == "x<b>")
      #expect(proxy.documentContextAfterInput == "</b>y")
      keyboard.layout = new
      keyboard.suggestions.set(["1", "2", "2", "3", "4"])
      keyboard.advanceToNextInputMode()
      keyboard.advanceToNextInputMode()
    }
    let answer = try host.event(.tap(key: "x"), field("x", "y"))
    #expect(
      answer.0
        == Transaction(
          edits: [.insertText("<b></b>"), .adjustTextPosition(byCharacterOffset: -4)],
          actions: [.advanceToNextInputMode], layout: new, suggestions: ["1", "2", "3"]))
    #expect(answer.rest.isEmpty)
    keyboard.onTap = nil
    // What did not change is not sent again, and a key of the layout before is known still.
    #expect(try host.event(.tap(key: "a"), field("")).0 == Transaction(edits: [.insertText("a")]))
    #expect(try host.event(.tap(key: "n"), field("")).0 == Transaction(edits: [.insertText("n")]))
  }

  @Test("leaves to the host what the keyboard does not take, and nothing of it is left")
  func declined() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    let answer = try host.event(.hardwareKey(HardwareKey(characters: "q")), field(""))
    #expect(answer.0 == nil && answer.rest.isEmpty)
    #expect(keyboard.textDocumentProxy.documentContextBeforeInput == "")
    #expect(
      try host.event(.hardwareKey(HardwareKey(characters: "k")), field("")).0
        == Transaction(edits: [.insertText("k")], actions: [.dismissKeyboard]))
    #expect(try host.event(.tap(key: "none"), field("")).0 == nil)
  }

  @Test("sends edits outside an event one request at a time, each for the revision it is meant for")
  func outside() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    try host.send(.focus(field("a", revision: 5)))
    func type(_ text: String) throws -> [PluginMessage] {
      host.session.perform { keyboard.textDocumentProxy.insertText(text) }
      return try host.answers()
    }
    guard case .transaction(0, "d1", 5, let first)? = try type("b").first else {
      Issue.record("no request")
      return
    }
    #expect(first.edits == [.insertText("b")])
    #expect(try type("c").isEmpty)
    let after = try host.send(.transactionReply(id: 0, applied: true, field("ab", revision: 6)))
    guard case .transaction(1, "d1", 6, let second)? = after.first else {
      Issue.record("no second request")
      return
    }
    #expect(second.edits == [.insertText("c")])
    #expect(keyboard.textDocumentProxy.documentContextBeforeInput == "abc")
    // Stale: the keyboard has the text as it is, and is told.
    _ = try host.send(.transactionReply(id: 1, applied: false, field("new", revision: 9)))
    #expect(keyboard.notes.last == "refused new")
    #expect(keyboard.textDocumentProxy.documentContextBeforeInput == "new")
    // After an event's answer the next revision is known.
    _ = try host.event(.tap(key: "a"), field("new", revision: 9))
    guard case .transaction(2, "d1", 10, _)? = try type("d").first else {
      Issue.record("no third request")
      return
    }
    try host.send(.failure(id: 2, code: 1, message: "no"))
    #expect(keyboard.notes.last == "refused newad")
  }

  @Test("keeps a layout that was changed without a field for the next one")
  func layoutWaits() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    keyboard.layout = KeyboardLayout(rows: [[Key(id: "z", label: "z")]])
    keyboard.dismissKeyboard()
    #expect(try host.send(.settings([])).isEmpty)
    guard case .transaction(_, "d1", 1, let transaction)? = try host.send(.focus(field(""))).first
    else {
      Issue.record("no request")
      return
    }
    #expect(transaction == Transaction(layout: keyboard.layout))
  }

  @Test("asks for the lexicon and gives it to who asked")
  func lexicon() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    var given: [[LexiconEntry]] = []
    for _ in 0..<2 { keyboard.requestSupplementaryLexicon { given.append($0) } }
    let asked = try host.send(.settings([]))
    #expect(asked.count == 2)
    let entries = [LexiconEntry(userInput: "a", documentText: "b")]
    try host.send(.failure(id: 1, code: 1, message: "none"))
    try host.send(.lexiconReply(id: 0, entries))
    try host.send(.lexiconReply(id: 0, entries))
    #expect(given == [[], entries])
  }

  @Test("refuses edits beyond its bounds and keeps its messages within a line")
  func bounds() throws {
    let keyboard = NotingKeyboard()
    let host = try SessionUnderTest(keyboard)
    keyboard.onTap = { keyboard, _ in
      let proxy = keyboard.textDocumentProxy
      #expect(proxy.insertText("\u{1B}[A") == false)
      #expect(proxy.setMarkedText("ab", selectedRange: 0..<3) == false)
      #expect(proxy.insertText(String(repeating: "\"", count: 30_000)) == false)
      for _ in 0..<3000 { proxy.insertText("\"\n") }
      for _ in 0..<5000 { proxy.deleteBackward() }
      #expect(proxy.deleteBackward() == false)
      keyboard.layout = KeyboardLayout(
        rows: (0..<8).map { row in
          (0..<24).map {
            Key(id: "\(row).\($0)", label: String(repeating: "\"", count: 128), insertText: "y")
          }
        })
    }
    let answer = try host.event(.tap(key: "a"), field(""))
    #expect(answer.0?.edits.count == 4096)
    let hasLayout = answer.0?.layout != nil
    #expect(!hasLayout)
  }

  @Test("ends on a line that is not of the protocol, and answers what it does not know")
  func faults() throws {
    let session = KeyboardSession(NotingKeyboard())
    #expect(throws: ProtocolError.self) {
      try session.receive(Array(HostMessage.blur.encoded().dropLast()))
    }
    #expect(throws: ProtocolError.self) { try session.receive(Array("{}".utf8)) }
    let host = try SessionUnderTest(NotingKeyboard())
    guard
      case .errorResponse(7, KeyboardSession.methodNotFound, _)? = try host.send(
        .unrecognized(id: 7, method: "later")
      ).first
    else {
      Issue.record("no answer")
      return
    }
    #expect(try host.send(.unrecognized(id: nil, method: "later")).isEmpty)
    guard case .response(8, let value)? = try host.send(.shutdown(id: 8)).first else {
      Issue.record("no answer to shutdown")
      return
    }
    #expect(value.isNull)
    try host.send(.exit)
    #expect(host.session.isFinished)
  }
}

@Suite("The suggestion bar")
struct SuggestionBarTests {
  @Test("shows distinct suggestions in order and pushes the oldest out")
  func bar() {
    var bar = SuggestionBar()
    for text in ["a", "b", "a", "", "x\n", "c"] { bar.add(text) }
    #expect(bar.items == ["a", "b", "c"])
    bar.add("d")
    #expect(bar.items == ["b", "c", "d"])
    bar.remove("c")
    bar.remove("none")
    #expect(bar.items == ["b", "d"])
    bar.maximum = 1
    #expect(bar.items == ["d"])
    bar.maximum = 9
    #expect(bar.maximum == 3)
    bar.set(["1", "1", "2", "3", "4"])
    #expect(bar.items == ["1", "2", "3"])
    bar.removeAll()
    #expect(bar.items.isEmpty)
  }
}
