import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

private var secure: TextInputTraits {
  var traits = TextInputTraits()
  traits.isSecureTextEntry = .known(true)
  return traits
}

private func traits(_ type: KeyboardType) -> TextInputTraits {
  var traits = TextInputTraits()
  traits.keyboardType = .known(type)
  return traits
}

extension SimulatedHost {
  fileprivate func events(since index: Int = 0) -> [HostMessage] {
    sent.dropFirst(index).map(\.1)
  }
  fileprivate func audited(_ kind: AuditKind) -> [AuditEvent] { audits.filter { $0.kind == kind } }
}

@Suite("The host's state machine")
struct HostCoreTests {
  @Test("a keyboard is started for the field that has focus and types into it")
  func types() {
    let host = SimulatedHost()
    host.open("comment")
    #expect(host.launches.isEmpty)
    host.focus("comment")
    #expect(host.launches == ["one"])
    host.type("hello")
    host.settle()
    #expect(host.text("comment") == "hello")
    #expect(host.handled.count == 5)
    #expect(host.handled.allSatisfy { $0.handler == .keyboard("one") })
    #expect(host.audited(.decision).count == 1)
  }

  @Test("nothing about a field is said before initialize is answered")
  func initializeFirst() throws {
    let host = SimulatedHost()
    host.open("comment", text: "before")
    host.focus("comment")
    host.advance(milliseconds: 1)
    let first = try #require(host.sent.first?.1)
    guard case .initialize = first else {
      Issue.record("\(first)")
      return
    }
    #expect(host.sent.count == 1)
    host.advance(milliseconds: 1)
    guard case .focus(let state)? = host.sent.dropFirst().first?.1 else {
      Issue.record("no focus")
      return
    }
    #expect(state.documentIdentifier == "document-1")
    #expect(state.context.beforeInput == "before")
    #expect(state.traits != nil)
  }

  @Test("one event is in flight at a time, each with the exact context")
  func oneInFlight() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 20) }
    host.open("a")
    host.focus("a")
    host.advance(milliseconds: 5)
    host.type("abc")
    let events = {
      host.events().compactMap { if case .event(_, let state, _) = $0 { state } else { nil } }
    }
    #expect(events().count == 1)
    host.advance(milliseconds: 20)
    #expect(events().count == 2)
    host.settle()
    #expect(events().map(\.context.beforeInput) == ["", "a", "ab"])
    #expect(host.text("a") == "abc")
  }

  @Test("the system keyboard serves refused fields and the keyboard comes back by itself")
  func swap() {
    let host = SimulatedHost()
    host.open("normal")
    host.open("secure", secure)
    host.open("phone", traits(.phonePad))
    host.open("name", traits(.namePhonePad))
    host.open("number", traits(.numberPad))
    let expected: [(String, HandledInput.Handler)] = [
      ("normal", .keyboard("one")), ("secure", .system), ("normal", .keyboard("one")),
      ("phone", .system), ("name", .system), ("number", .keyboard("one")),
      ("secure", .system), ("number", .keyboard("one")), ("normal", .keyboard("one")),
    ]
    for (field, handler) in expected {
      host.focus(field)
      host.tap(handler == .system ? host.presentations.last!.layout.rows[0][0].id : "a")
      host.settle()
      #expect(host.handled.last?.handler == handler, "\(field)")
      #expect(host.presentations.last?.keyboard == (handler == .system ? nil : "one"))
    }
    #expect(host.rejections.isEmpty)
    #expect(host.launches == ["one"], "the same process, frozen and resumed")
    #expect(host.text("normal") == "aaa")
    #expect(host.audited(.freeze).count == 3)
    #expect(host.audited(.resume).count == 3)
  }

  @Test("nothing at all is said to a keyboard about a secure field")
  func silentInSecureField() {
    let host = SimulatedHost()
    host.open("normal", text: "x")
    host.open("secure", secure)
    host.focus("normal")
    host.type("a")
    host.settle()
    let before = host.sent.count
    host.focus("secure")
    #expect(host.hasStopped)
    host.type("secret")
    host.settle()
    #expect(host.sent.count == before)
    #expect(host.text("secure") == "secret")
    host.focus("normal")
    host.settle()
    for case .focus(let state) in host.events(since: before) {
      #expect(state.context.beforeInput == "xa")
    }
    #expect(!host.hasStopped)
  }

  @Test("no event of a secure field is handled before every keyboard stands still")
  func stopsFirst() {
    let host = SimulatedHost()
    host.stopDelay = 30
    host.open("normal")
    host.open("secure", secure)
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.focus("secure")
    host.type("s")
    host.advance(milliseconds: 29)
    #expect(host.handled.isEmpty)
    host.advance(milliseconds: 1)
    #expect(host.handled.count == 1)
  }

  @Test("a keyboard that cannot be stopped is killed, and typing goes on")
  func unstoppable() {
    let host = SimulatedHost()
    host.stopDelay = nil
    host.open("normal")
    host.open("secure", secure)
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.focus("secure")
    host.type("s")
    host.advance(milliseconds: 250)
    #expect(host.kills == 1)
    #expect(host.text("secure") == "s")
  }

  @Test("a frozen keyboard that wakes is killed")
  func wakes() throws {
    let host = SimulatedHost()
    host.open("normal")
    host.open("secure", secure)
    host.focus("normal")
    host.advance(milliseconds: 5)
    let id = try #require(host.running("one"))
    host.focus("secure")
    host.advance(milliseconds: 5)
    host.feed(.continuedWhileFrozen(id))
    #expect(host.kills == 1)
    #expect(host.audited(.violation).count == 1)
  }

  @Test("the event in flight at a freeze goes to the system keyboard; the late answer is dropped")
  func freezeInFlight() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.open("normal")
    host.open("secure", secure)
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.type("ab")
    host.focus("secure")
    #expect(host.text("normal") == "ab")
    host.advance(milliseconds: 500)
    host.behaviour = { _ in .answer(afterMilliseconds: 0) }
    host.focus("normal")
    host.type("c")
    host.settle()
    #expect(host.text("normal") == "abc")
    #expect(host.text("secure") == "")
    #expect(host.core.lateAnswers == 1)
    #expect(host.handled.map(\.handler) == [.system, .system, .keyboard("one")])
  }

  @Test("a field that turns secure under the keyboard, and back, stays refused")
  func sticky() {
    let host = SimulatedHost()
    host.open("field")
    host.focus("field")
    host.type("a")
    host.settle()
    host.feed(.traits(DocumentID("field"), secure))
    host.type("b")
    host.settle()
    host.feed(.traits(DocumentID("field"), TextInputTraits()))
    host.type("c")
    host.settle()
    #expect(host.text("field") == "abc")
    #expect(host.handled.map(\.handler) == [.keyboard("one"), .system, .system])
    #expect(host.handled.last?.reason == .refused([.stickySecure]))
  }

  @Test("a veto that appears while the keyboard is at work removes it at once")
  func veto() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.open("field", app: "bank")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("a")
    host.feed(.appAnswer(app: "bank", .deny))
    host.type("b")
    host.settle()
    #expect(host.text("field") == "ab")
    #expect(host.handled.allSatisfy { $0.handler == .system })
    #expect(host.hasStopped)
    host.open("other", app: "bank2", answer: .failed)
    host.focus("other")
    host.type("c")
    host.settle()
    #expect(host.handled.last?.handler == .system)
  }

  @Test("a keyboard that does not answer in time loses the event and those after it, then its life")
  func hang() {
    let host = SimulatedHost()
    host.behaviour = { _ in .silence }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("a")
    host.advance(milliseconds: 99)
    #expect(host.handled.isEmpty)
    host.advance(milliseconds: 1)
    #expect(host.handled.map(\.reason) == [.tooLate])
    host.type("b")
    #expect(host.handled.map(\.reason) == [.tooLate, .unresponsive])
    #expect(host.kills == 0)
    host.advance(milliseconds: 900)
    #expect(host.kills == 1)
    #expect(host.text("field") == "ab")
  }

  @Test("a late answer is dropped, and the keyboard serves again")
  func late() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 300) }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("a")
    host.advance(milliseconds: 400)
    host.behaviour = { _ in .answer(afterMilliseconds: 0) }
    host.type("b")
    host.settle()
    #expect(host.text("field") == "ab")
    #expect(host.core.lateAnswers == 1)
    #expect(host.kills == 0)
    #expect(host.handled.map(\.handler) == [.system, .keyboard("one")])
  }

  @Test("a stale answer is dropped; the event is sent once more, then the system keyboard has it")
  func stale() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("a")
    host.feed(.appEdit(DocumentID("field"), .replaceText("X", selection: nil)))
    host.settle()
    #expect(host.text("field") == "Xa")
    #expect(host.handled.map(\.handler) == [.keyboard("one")])
    #expect(host.core.staleAnswers == 1)
    host.type("b")
    host.feed(.appEdit(DocumentID("field"), .replaceText("Y", selection: nil)))
    host.advance(milliseconds: 60)
    host.feed(.appEdit(DocumentID("field"), .replaceText("Z", selection: nil)))
    host.settle()
    #expect(host.text("field") == "Zb")
    #expect(host.handled.last?.reason == .staleTwice)
  }

  @Test("restarts back off, stop after five failures within a minute")
  func storm() {
    let host = SimulatedHost()
    host.start = { .crash }
    host.open("field")
    host.focus("field")
    for _ in 0..<40 {
      host.type("a")
      host.advance(milliseconds: 1_000)
    }
    #expect(host.launches.count == 5)
    #expect(host.audited(.disabled).count == 1)
    let delays = host.audited(.restart).flatMap(\.fields).map(\.value)
    #expect(delays == [1_000, 2_000, 4_000, 8_000].map { .integer($0) })
    #expect(host.text("field") == String(repeating: "a", count: 40))
    #expect(host.handled.last?.reason == .disabled)
  }

  @Test("a keyboard that fails once a day is never disabled")
  func daily() {
    let host = SimulatedHost()
    host.open("field")
    host.focus("field")
    for _ in 0..<8 {
      host.advance(milliseconds: 86_400_000)
      host.behaviour = { _ in .crash }
      host.type("a")
      host.settle()
      host.behaviour = { _ in .answer(afterMilliseconds: 0) }
      host.advance(milliseconds: 1_100)
      host.type("b")
      host.settle()
    }
    #expect(host.text("field") == String(repeating: "ab", count: 8))
    #expect(host.audited(.disabled).isEmpty)
    #expect(host.audited(.restart).flatMap(\.fields).allSatisfy { $0.value == .integer(1_000) })
  }

  @Test("events wait for a start, and go to the system keyboard when it is too slow")
  func slowStart() {
    let host = SimulatedHost()
    host.start = { .silence }
    host.open("field")
    host.focus("field")
    host.type("ab")
    host.advance(milliseconds: 1_999)
    #expect(host.handled.isEmpty)
    host.advance(milliseconds: 1)
    #expect(host.text("field") == "ab")
    #expect(host.handled.map(\.reason) == [.starting, .starting])
    #expect(host.kills == 1)
  }

  @Test("a launch that fails says why with every event it could not take")
  func launchFails() {
    let host = SimulatedHost()
    host.start = { .failLaunch }
    host.open("field")
    host.focus("field")
    host.type("a")
    host.settle()
    #expect(host.handled.map(\.reason) == [.launchFailed("no sandbox")])
    #expect(host.audited(.launchFailed).count == 1)
  }

  @Test(
    "whatever a keyboard does, the text is complete, once and in order",
    arguments: ["twice", "garbage", "error", "unknown", "edit", "crash"])
  func faults(kind: String) {
    let host = SimulatedHost()
    var count = 0
    host.behaviour = { _ in
      count += 1
      guard count == 3 else { return .answer(afterMilliseconds: 1) }
      switch kind {
      case "twice": return .answerTwice
      case "garbage": return .garbage
      case "error": return .errorAnswer
      case "unknown": return .unknownRequest
      case "edit": return .breakEdit
      default: return .crash
      }
    }
    host.open("field")
    host.focus("field")
    host.type("abcdefghij")
    host.settle()
    #expect(host.text("field") == "abcdefghij")
    let isFatal = kind != "error" && kind != "edit"
    #expect(host.kills == (isFatal ? 1 : 0))
    #expect(host.handled.count == 10)
  }

  @Test("an event that a keyboard leaves to the system keyboard is no failure of it")
  func declined() {
    let host = SimulatedHost()
    host.behaviour = { event in
      event == .tap(key: "b") ? .decline : .answer(afterMilliseconds: 1)
    }
    host.open("field")
    host.focus("field")
    host.type("abc")
    host.settle()
    #expect(host.text("field") == "abc")
    #expect(host.handled.map(\.handler) == [.keyboard("one"), .system, .keyboard("one")])
    #expect(host.handled[1].reason == .declined)
    #expect(!host.audits.contains { $0.kind == .fallback })
  }

  @Test("without an audit log no keyboard runs, and typing goes on")
  func auditUnavailable() {
    let host = SimulatedHost()
    host.open("field")
    host.auditFails = true
    host.focus("field")
    #expect(host.launches.isEmpty)
    host.type("abc")
    host.settle()
    #expect(host.text("field") == "abc")
    #expect(host.handled.allSatisfy { $0.reason == .auditUnavailable })
  }

  @Test("running keyboards end when the audit log can no longer be written")
  func auditLost() {
    let host = SimulatedHost()
    host.open("field")
    host.open("second")
    host.focus("field")
    host.type("a")
    host.settle()
    host.auditFails = true
    host.focus("second")
    host.type("b")
    host.settle()
    #expect(host.kills == 1)
    #expect(host.text("second") == "b")
    #expect(host.launches.count == 1)
  }

  @Test("a change of open access ends the process and starts a new one")
  func grantChanged() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 30) }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("ab")
    host.feed(
      .configuration(
        HostConfiguration(keyboards: [SimulatedHost.entry("one", access: true)])))
    host.settle()
    #expect(host.kills == 1)
    #expect(host.launches == ["one", "one"])
    #expect(host.text("field") == "ab")
    #expect(host.handled.first?.reason == .grantChanged)
    #expect(host.audited(.restart).isEmpty, "not a failure")
    let requests = host.events().compactMap {
      if case .initialize(_, let request) = $0 { request.hasFullAccess } else { nil }
    }
    #expect(requests == [false, true])
  }

  @Test("a keyboard that is removed from the list ends, and the next one serves")
  func removed() {
    let host = SimulatedHost(keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.open("field")
    host.focus("field")
    host.type("a")
    host.settle()
    host.feed(.configuration(HostConfiguration(keyboards: [SimulatedHost.entry("two")])))
    host.type("b")
    host.settle()
    #expect(host.handled.map(\.handler) == [.keyboard("one"), .keyboard("two")])
    #expect(host.kills == 1)
  }

  @Test("the globe goes through the list, skips keyboards the field refuses, and is per document")
  func globe() {
    let host = SimulatedHost(keyboards: [
      SimulatedHost.entry("one"), SimulatedHost.entry("two", ascii: false),
      SimulatedHost.entry("three"),
    ])
    host.open("plain")
    host.open("ascii", traits(.asciiCapable))
    func handlerAfterGlobe(_ field: String) -> HandledInput.Handler? {
      host.focus(field)
      host.feed(.user(.nextKeyboard))
      host.tap("a")
      host.settle()
      return host.handled.last?.handler
    }
    #expect(handlerAfterGlobe("plain") == .keyboard("two"))
    #expect(handlerAfterGlobe("ascii") == .keyboard("three"))
    #expect(handlerAfterGlobe("plain") == .keyboard("three"))
    host.focus("plain")
    host.feed(.user(.nextKeyboard))
    #expect(host.presentations.last?.keyboard == nil)
    host.feed(.user(.nextKeyboard))
    host.settle()
    #expect(host.presentations.last?.keyboard == "one")
    host.feed(.user(.selectKeyboard("nobody")))
    #expect(host.rejections.count == 1)
  }

  @Test("a keyboard can switch to the next one and dismiss itself")
  func actions() {
    let host = SimulatedHost(keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.open("field")
    host.focus("field")
    host.tap("hide")
    host.settle()
    #expect(host.dismissed == [DocumentID("field")])
    host.tap("next")
    host.tap("a")
    host.settle()
    #expect(host.handled.last?.handler == .keyboard("two"))
    #expect(host.handled.last?.transaction.edits == [.insertText("a")])
  }

  @Test("hardware keys go only to keyboards that take them")
  func hardware() {
    let host = SimulatedHost()
    host.open("field")
    host.focus("field")
    host.type("Z")
    host.settle()
    #expect(host.handled.map(\.reason) == [.hardwareKeyNotTaken])
    let taking = SimulatedHost()
    taking.takesHardwareKeys = true
    taking.open("field")
    taking.focus("field")
    taking.type("Z")
    taking.settle()
    #expect(taking.handled.map(\.handler) == [.keyboard("one")])
    #expect(host.text("field") == "Z" && taking.text("field") == "Z")
  }

  @Test("edits outside an event are refused unless they name the focused document as it is")
  func outside() {
    let host = SimulatedHost()
    host.open("field")
    host.open("other")
    host.focus("field")
    host.advance(milliseconds: 10)
    func say(_ name: String, _ revision: UInt64) -> Bool? {
      host.say(
        .transaction(
          id: 7, documentIdentifier: name, revision: revision,
          Transaction(edits: [.insertText("x")])), from: "one")
      if case .transactionReply(_, let applied, _)? = host.sent.last?.1 { return applied }
      return nil
    }
    let revision = host.core.text(of: DocumentID("field"))!.revision
    #expect(say("document-1", revision) == true)
    #expect(say("document-1", revision) == false, "stale")
    #expect(say("nothing", revision + 1) == false)
    host.focus("other")
    host.advance(milliseconds: 10)
    #expect(say("document-1", revision + 1) == false, "no focus")
    #expect(host.text("field") == "x")
    #expect(host.text("other") == "")
  }

  @Test("composing text stays in its field when the focus moves")
  func composing() {
    let host = SimulatedHost()
    host.open("a")
    host.open("b")
    host.focus("a")
    host.advance(milliseconds: 10)
    host.say(
      .transaction(
        id: 1, documentIdentifier: "document-1",
        revision: host.core.text(of: DocumentID("a"))!.revision,
        Transaction(edits: [.setMarkedText("abc", selectedRange: 3..<3)])), from: "one")
    #expect(host.core.text(of: DocumentID("a"))?.markedText == "abc")
    host.focus("b")
    #expect(host.core.text(of: DocumentID("a"))?.markedText == nil)
    #expect(host.text("a") == "abc")
    #expect(host.text("b") == "")
  }

  @Test("the lexicon is delivered when asked for")
  func lexicon() {
    let entries = [LexiconEntry(userInput: "omw", documentText: "On my way!")]
    let host = SimulatedHost(lexicon: entries)
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 10)
    host.say(.lexicon(id: 3), from: "one")
    #expect(host.sent.last?.1 == .lexiconReply(id: 3, entries))
  }

  @Test(
    "input without a focused document, unknown documents and unknown keys are said, not lost silently"
  )
  func rejections() {
    let host = SimulatedHost()
    host.type("a")
    host.focus("nowhere")
    host.open("field")
    host.open("field")
    host.focus("field")
    host.tap("nokey")
    host.settle()
    #expect(host.rejections.count == 4)
  }

  @Test("closing a document lets what was typed into it come out first")
  func close() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("abc")
    host.feed(.close(DocumentID("field")))
    #expect(host.handled.count == 3)
    host.settle()
    #expect(host.core.pendingInputs == 0)
  }
}
