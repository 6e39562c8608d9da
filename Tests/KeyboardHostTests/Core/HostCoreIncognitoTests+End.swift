import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

/// The end of an instance that forgets, for which the kernel may need long.
extension HostCoreIncognitoTests {
  @Test("while anything is left of it nothing goes on, and the keys wait for a moment only")
  func slowEnd() throws {
    let host = host()
    host.focus("normal")
    host.type("a")
    host.settle()
    let ordinary = try #require(host.running("one"))
    host.focus("card")
    host.type("4")
    host.settle()
    var resumed = 0
    host.observe = { if case .resume(ordinary) = $0 { resumed += 1 } }
    host.endDelay = 500
    host.focus("normal")
    host.type("b")
    host.advance(milliseconds: 99)
    #expect(resumed == 0 && host.text("normal") == "a")
    #expect(host.presentations.last?.keyboard == "one")
    host.advance(milliseconds: 2)
    host.type("c")
    host.advance(milliseconds: 390)
    #expect(resumed == 0 && host.text("normal") == "abc")
    #expect(host.handled.suffix(2).map(\.reason) == [.frozen, .frozen])
    #expect(host.presentations.last?.keyboard == nil)
    host.advance(milliseconds: 20)
    #expect(resumed == 1)
    host.type("d")
    host.settle()
    #expect(host.text("normal") == "abcd" && host.handled.last?.handler == .keyboard("one"))
    #expect(host.presentations.last?.keyboard == "one")
  }

  @Test("another is not started while anything is left of it, and a secure field waits for it, too")
  func slowEndBeforeOthers() {
    let host = host([SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.open("private", privateField)
    host.open("secret", secure)
    host.focus("card")
    host.type("4")
    host.settle()
    host.endDelay = 300
    host.focus("private")
    host.type("p")
    host.advance(milliseconds: 90)
    #expect(host.incognitoLaunches.count == 1 && host.text("private") == "")
    host.focus("secret")
    host.type("s")
    host.advance(milliseconds: 5)
    #expect(host.text("secret") == "")
    host.advance(milliseconds: 20)
    #expect(host.text("secret") == "s")
    host.focus("normal")
    host.feed(.user(.selectKeyboard("two")))
    host.advance(milliseconds: 100)
    #expect(host.launches == ["one"])
    host.advance(milliseconds: 100)
    #expect(host.launches == ["one", "two"])
  }

  @Test("it is not started while anything is left of an ordinary one that was killed")
  func slowEndOfAnOrdinaryOne() {
    let host = host()
    host.start = { .silence }
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.endDelay = 50
    host.focus("card")
    host.advance(milliseconds: 49)
    #expect(host.kills == 1 && host.incognitoLaunches.isEmpty)
    host.advance(milliseconds: 2)
    #expect(host.incognitoLaunches.count == 1)
  }

  @Test("its crash counts like any other's")
  func crash() {
    let host = host()
    host.behaviour = { _ in .crash }
    for round in 1...5 {
      host.focus("card")
      host.type("4")
      host.settle()
      #expect(host.text("card") == String(repeating: "4", count: round))
      host.focus(nil)
      host.advance(milliseconds: 100)
      host.focus("card")
      host.advance(milliseconds: 11_000)
    }
    host.behaviour = { _ in .answer(afterMilliseconds: 0) }
    #expect(host.audited(.disabled).count == 1)
    host.focus("normal")
    host.type("a")
    host.settle()
    #expect(host.handled.last?.reason == .disabled)
  }

  @Test("a change of its keyboard's rights ends it, and the end of the host does")
  func otherEnds() {
    let host = host()
    host.focus("card")
    host.type("4")
    host.settle()
    host.feed(.configuration(HostConfiguration(keyboards: [SimulatedHost.entry("one")])))
    #expect(host.kills == 1)
    host.settle()
    host.type("2")
    host.settle()
    #expect(host.handled.last?.handler == .keyboard("one"))
    host.feed(.shutDown)
    #expect(host.kills == 2, "at once, without a farewell")
  }
}
