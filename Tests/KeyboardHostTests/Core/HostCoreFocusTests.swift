import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Fields that refuse, and the frozen keyboard")
struct HostCoreFocusTests {
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

  @Test("a frozen keyboard's request is answered when it is resumed, and not before")
  func requestWhileFrozen() throws {
    let host = SimulatedHost()
    host.open("normal")
    host.open("secure", secure)
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.focus("secure")
    host.advance(milliseconds: 5)
    var effects: [CoreEffect] = []
    host.observe = { effects.append($0) }
    host.say(.lexicon(id: 1), from: "one")
    host.say(
      .transaction(id: 2, documentIdentifier: "document-1", revision: 0, Transaction()),
      from: "one")
    func isReply(_ effect: CoreEffect) -> Bool {
      if case .send(_, .lexiconReply) = effect { return true }
      if case .send(_, .transactionReply) = effect { return true }
      return false
    }
    #expect(!effects.contains(where: isReply))
    host.focus("normal")
    #expect(effects.count(where: isReply) == 2)
    let resumed = try #require(
      effects.firstIndex { if case .resume = $0 { true } else { false } })
    let replied = try #require(effects.firstIndex(where: isReply))
    #expect(resumed < replied)
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

  @Test("a field that is secure from its first moment is refused for what it is, and for no past")
  func secureFromTheStart() {
    let host = SimulatedHost()
    for type in [TextContentType.password, .newPassword, .oneTimeCode, .creditCardSecurityCode] {
      var traits = TextInputTraits()
      traits.textContentType = .known(type)
      host.open(type.rawValue, traits)
      host.focus(type.rawValue)
      host.type("1")
      host.settle()
      #expect(host.handled.last?.reason == .refused([.sensitiveContentType(type)]))
      host.feed(.traits(DocumentID(type.rawValue), TextInputTraits()))
      host.type("2")
      host.settle()
      #expect(host.handled.last?.reason == .refused([.stickySecure]))
    }
    var unreadable = TextInputTraits()
    unreadable.isSecureTextEntry = .unknown("maybe")
    host.open("unreadable", unreadable)
    host.focus("unreadable")
    host.type("1")
    #expect(
      host.handled.last?.reason
        == .refused([.unknownTraitValue(trait: "isSecureTextEntry", value: "maybe")]))
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
    #expect(host.closed.map(\.0) == [DocumentID("field")])
    #expect(host.closed.map(\.1) == ["abc"])
    host.settle()
    #expect(host.core.pendingInputs == 0)
  }
}
