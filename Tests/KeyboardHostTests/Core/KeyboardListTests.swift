import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("The list of keyboards")
struct KeyboardListTests {
  private func host() -> SimulatedHost {
    SimulatedHost(keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")])
  }

  private func shown(_ host: SimulatedHost) -> String? {
    host.settle()
    return host.presentations.last?.keyboard ?? "system"
  }

  private func open(_ host: SimulatedHost, _ name: String, context: String?, app: String = "app") {
    host.open(name, app: app)
    if let context { host.feed(.inputContext(DocumentID(name), context)) }
    host.focus(name)
  }

  @Test("each document keeps the keyboard that was picked in it")
  func perDocument() {
    let host = host()
    host.open("a")
    host.open("b")
    host.focus("a")
    host.feed(.user(.selectKeyboard("two")))
    host.focus("b")
    #expect(shown(host) == "one")
    host.feed(.user(.selectKeyboard("system")))
    host.focus("a")
    #expect(shown(host) == "two")
    host.focus("b")
    #expect(shown(host) == "system")
  }

  @Test("a new document for the same begins with the keyboard that was picked for it last")
  func context() {
    let host = host()
    open(host, "a", context: "Ann")
    host.feed(.user(.selectKeyboard("two")))
    host.feed(.close(DocumentID("a")))
    open(host, "b", context: "Ann")
    #expect(shown(host) == "two")
    open(host, "c", context: "Bob")
    #expect(shown(host) == "one", "another use")
    open(host, "d", context: nil)
    #expect(shown(host) == "one", "no use is named")
    open(host, "e", context: "Ann", app: "other")
    #expect(shown(host) == "one", "another app's")
    host.focus("b")
    host.feed(.user(.nextKeyboard))
    #expect(shown(host) == "system")
    open(host, "f", context: "Ann")
    #expect(shown(host) == "system", "the globe is a pick as well")
  }

  @Test("a keyboard that was taken from the list is remembered for nothing")
  func removed() {
    let host = host()
    open(host, "a", context: "Ann")
    host.feed(.user(.selectKeyboard("two")))
    host.feed(.configuration(HostConfiguration(keyboards: [SimulatedHost.entry("one")])))
    open(host, "b", context: "Ann")
    #expect(shown(host) == "one")
    #expect(host.rejections.isEmpty)
  }

  @Test("what is remembered has a bound, and the oldest goes first")
  func bound() {
    var remembered = RememberedKeyboards()
    func context(_ number: Int) -> RememberedKeyboards.Context {
      RememberedKeyboards.Context(app: nil, name: "\(number)")
    }
    for number in 0..<RememberedKeyboards.maximum { remembered.note("one", for: context(number)) }
    remembered.note("two", for: context(0))
    remembered.note("one", for: context(-1))
    #expect(remembered[context(0)] == "two")
    #expect(remembered[context(1)] == nil)
    #expect(remembered[context(2)] == "one")
  }

  @Test("it is shown that a keyboard's text runs from right to left")
  func rightToLeft() {
    var hebrew = SimulatedHost.entry("hebrew")
    hebrew.prefersRightToLeft = true
    let host = SimulatedHost(keyboards: [hebrew, SimulatedHost.entry("two")])
    host.open("a")
    host.focus("a")
    #expect(shown(host) == "hebrew")
    #expect(host.presentations.last?.prefersRightToLeft == true)
    host.feed(.user(.selectKeyboard("two")))
    #expect(shown(host) == "two")
    #expect(host.presentations.last?.prefersRightToLeft == false)
    host.feed(.user(.selectKeyboard("system")))
    #expect(host.presentations.last?.prefersRightToLeft == false)
  }

  @Test("no keyboard needs a key to the next one: the globe is the host's, also while it hangs")
  func globe() throws {
    let host = host()
    host.behaviour = { _ in .silence }
    host.open("a")
    host.focus("a")
    #expect(shown(host) == "one")
    let needs = host.sent.compactMap { _, message in
      if case .initialize(_, let request) = message { request.needsInputModeSwitchKey } else { nil }
    }
    #expect(needs == [false])
    host.tap("a")
    host.feed(.user(.nextKeyboard))
    #expect(shown(host) == "two")
  }

  @Test("the language of the first keyboard that has one puts the system keyboard's letters")
  func letters() {
    var configuration = HostConfiguration(language: "de-CH")
    let host = SimulatedHost(keyboards: [])
    host.open("a", traits(.asciiCapable))
    host.focus("a")
    func first() -> [String] {
      (host.presentations.last?.layout.rows[0] ?? []).map { $0.label.lowercased() }
    }
    #expect(first() == "qwertyuiop".map(String.init))
    host.feed(.configuration(configuration))
    #expect(first() == "qwertzuiop".map(String.init))
    configuration.systemKeyboard.language = "fr"
    host.feed(.configuration(configuration))
    #expect(first() == "azertyuiop".map(String.init))
    host.tap("system.q")
    #expect(host.text("a")?.lowercased() == "q")
  }
}
