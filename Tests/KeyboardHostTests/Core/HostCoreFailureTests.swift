import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Keyboards that fail")
struct HostCoreFailureTests {
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

  @Test("an answer that lay there while the host was busy is no late one")
  func busyHost() {
    let host = SimulatedHost()
    host.behaviour = { _ in .silence }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("a")
    guard case .event(let request, _, let event)? = host.sent.last?.1,
      let id = host.running("one")
    else {
      Issue.record("no event was sent")
      return
    }
    let transaction = SimulatedHost.transaction(for: event)
    let answer = PluginMessage.response(
      id: request, SimulatedHost.json { transaction.encode(into: &$0) })
    // Nothing was looked at for ten seconds.
    let effects = host.core.handle(
      .message(id, answer), at: host.now.adding(milliseconds: 10_000))
    let handlers = effects.compactMap { effect -> HandledInput.Handler? in
      if case .handled(let handled) = effect { handled.handler } else { nil }
    }
    #expect(handlers == [.keyboard("one")])
    #expect(host.core.runs(id))
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

  @Test("a keyboard that is asked to end, and does, has not failed")
  func shutDown() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 5)
    host.type("ab")
    host.feed(.shutDown)
    #expect(host.text("field") == "ab")
    host.advance(milliseconds: 10)
    #expect(host.kills == 1 && host.running("one") == nil)
    #expect(host.audited(.restart).isEmpty && host.audited(.exit).count == 1)
    host.type("c")
    host.settle()
    #expect(host.text("field") == "abc" && host.launches.count == 1)
  }

  @Test(
    "a bad line is quoted in the log only while the keyboard knows no text",
    arguments: [1, 5] as [UInt64])
  func excerpt(milliseconds: UInt64) throws {
    let host = SimulatedHost()
    host.open("field", text: "secret")
    host.focus("field")
    host.advance(milliseconds: milliseconds)
    let id = try #require(host.running("one"))
    host.feed(.protocolError(id, ProtocolError(message: "not JSON", excerpt: "secret")))
    let names = try #require(host.audited(.protocolError).first?.fields).map(\.name)
    #expect(names == (milliseconds == 1 ? ["message", "excerpt"] : ["message"]))
  }
}
