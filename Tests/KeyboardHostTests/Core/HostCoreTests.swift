import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

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

  @Test("the first of the list types, and when that is the system keyboard nothing is started")
  func systemFirst() {
    let host = SimulatedHost(
      keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")], systemPosition: 0)
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 10)
    host.type("a")
    host.settle()
    #expect(host.handled.map(\.reason) == [.systemKeyboardSelected])
    #expect(host.launches == [])
    #expect(
      host.audited(.decision).last?.fields.last
        == AuditField("reasons", .list([.foreign("system-keyboard-selected")])))
    host.open("phone", traits(.phonePad))
    host.focus("phone")
    host.type("1")
    #expect(
      host.handled.last?.reason
        == .refused([.refusedKeyboardType(.phonePad), .systemKeyboardSelected]))
    #expect(host.launches == [])
  }

  @Test("the globe goes through the system keyboard where it stands in the list")
  func globeOrder() {
    let host = SimulatedHost(
      keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")], systemPosition: 1)
    host.open("field")
    host.focus("field")
    host.settle()
    var shown: [String?] = [host.presentations.last?.keyboard]
    for _ in 0..<3 {
      host.feed(.user(.nextKeyboard))
      host.settle()
      shown.append(host.presentations.last?.keyboard)
    }
    #expect(shown == ["one", nil, "two", "one"])
  }

  @Test("a list that is put into another order holds for documents nothing was chosen for")
  func reordered() {
    let host = SimulatedHost()
    host.open("field")
    host.focus("field")
    host.type("a")
    host.settle()
    host.feed(
      .configuration(HostConfiguration(keyboards: [SimulatedHost.entry("one")], systemPosition: 0)))
    host.type("b")
    host.settle()
    host.feed(.user(.selectKeyboard("one")))
    host.type("c")
    host.settle()
    #expect(
      host.handled.map(\.handler) == [.keyboard("one"), .system, .system, .keyboard("one")])
    #expect(host.text("field") == "abc")
  }

  @Test("with nothing else enabled the reason is not the user's choice")
  func nothingEnabled() {
    let host = SimulatedHost(keyboards: [])
    host.open("field")
    host.focus("field")
    host.type("a")
    host.feed(.user(.selectKeyboard("system")))
    host.type("b")
    #expect(
      host.handled.map(\.reason)
        == [.refused([.noKeyboardEnabled]), .keyboardSelected, .systemKeyboardSelected])
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
}
