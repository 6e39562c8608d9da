import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("A keyboard under a debugger")
struct DebuggedKeyboardTests {
  private func host() -> SimulatedHost {
    var entry = SimulatedHost.entry("one")
    entry.isDebugged = true
    return SimulatedHost(keyboards: [entry])
  }

  @Test("has all the time it takes to start and to answer, until it is let go")
  func clocks() throws {
    let host = host()
    host.start = { .ready(afterMilliseconds: 60_000) }
    host.behaviour = { _ in .answer(afterMilliseconds: 60_000) }
    host.open("field")
    host.focus("field")
    host.type("a")
    host.advance(milliseconds: 121_000)
    #expect(host.handled.map(\.handler) == [.keyboard("one")])
    host.type("b")
    host.advance(milliseconds: 10_000)
    #expect(host.handled.count == 1 && host.kills == 0)
    let id = try #require(host.running("one"))
    host.feed(.debugger(id, isAttached: false))
    // The clock of the event begins when it is let go.
    host.advance(milliseconds: 99)
    #expect(host.handled.count == 1)
    host.advance(milliseconds: 1)
    #expect(host.handled.last?.reason == .tooLate)
    host.advance(milliseconds: 900)
    #expect(host.kills == 1)
    #expect(host.text("field") == "ab")
  }

  @Test("is ended by a field that refuses it, blamed for nothing, and started in the next")
  func refusingField() {
    let host = host()
    host.open("field")
    host.open("secure", secure)
    host.focus("field")
    host.type("a")
    host.settle()
    host.focus("secure")
    #expect(host.kills == 1 && !host.hasStopped)
    host.type("b")
    host.settle()
    host.focus("field")
    host.type("c")
    host.settle()
    #expect(host.launches == ["one", "one"])
    #expect(host.text("field") == "ac" && host.text("secure") == "b")
    #expect(host.handled.map(\.handler) == [.keyboard("one"), .system, .keyboard("one")])
    #expect(host.audited(.restart).isEmpty)
  }

  @Test("others are held to their deadlines, whatever is said of a debugger")
  func others() throws {
    let host = SimulatedHost()
    host.behaviour = { _ in .silence }
    host.open("field")
    host.focus("field")
    host.advance(milliseconds: 10)
    host.feed(.debugger(try #require(host.running("one")), isAttached: true))
    host.type("a")
    host.advance(milliseconds: 1_000)
    #expect(host.handled.last?.reason == .tooLate)
    #expect(host.kills == 1)
  }
}
