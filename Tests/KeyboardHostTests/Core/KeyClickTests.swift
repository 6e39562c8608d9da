import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Key clicks")
struct KeyClickTests {
  private func host(
    keyboards: [KeyboardEntry] = [], isOn: Bool = true,
    _ traits: TextInputTraits = TextInputTraits()
  ) -> SimulatedHost {
    var settings = SystemKeyboardSettings()
    settings[.keyClicks] = isOn
    let host = SimulatedHost(keyboards: keyboards, typing: settings)
    host.open("a", traits)
    host.focus("a")
    host.settle()
    return host
  }

  private func clicks(_ host: SimulatedHost) {
    let name = host.core.text(of: DocumentID("a")).map { _ in "document-1" } ?? ""
    let revision = host.core.text(of: DocumentID("a"))?.revision ?? 0
    host.say(
      .transaction(
        id: 90, documentIdentifier: name, revision: revision,
        Transaction(actions: [.playInputClick])), from: "one")
    host.settle()
  }

  @Test("are off at first")
  func off() {
    #expect(!SystemKeyboardSettings()[.keyClicks])
    let host = host(isOn: false)
    host.tap("system.a")
    #expect(host.text("a") == "A")
    #expect(host.clicks.isEmpty)
  }

  @Test("come with each tap on the system keyboard's keys, and with no other input")
  func system() {
    let host = host()
    for key in ["a", "shift", "delete"] { host.tap("system.\(key)") }
    #expect(host.clicks == Array(repeating: DocumentID("a"), count: 3))
    host.type("x")
    host.feed(.user(.event(.longPress(key: "system.a"))))
    host.feed(.user(.nextKeyboard))
    #expect(host.clicks.count == 3)
  }

  @Test("come when a keyboard asks for them, and only while it shows")
  func keyboard() {
    let host = host(keyboards: [SimulatedHost.entry("one")])
    host.tap("a")
    host.settle()
    #expect(host.clicks.isEmpty, "it did not ask")
    clicks(host)
    #expect(host.clicks == [DocumentID("a")])
    host.feed(.inputView(DocumentID("a"), isOwn: true))
    clicks(host)
    host.feed(.inputView(DocumentID("a"), isOwn: false))
    host.settle()
    clicks(host)
    #expect(host.clicks.count == 2, "the app's own input view hides it")
    host.feed(.user(.selectKeyboard("system")))
    clicks(host)
    host.feed(.user(.selectKeyboard("one")))
    host.focus(nil)
    clicks(host)
    #expect(host.clicks.count == 2)
    host.focus("a")
    host.settle()
    clicks(host)
    #expect(host.clicks.count == 3)
  }

  @Test("that come with an answer are heard only while the field still has the focus")
  func answered() throws {
    let host = host(keyboards: [SimulatedHost.entry("one")])
    host.open("b")
    host.behaviour = { _ in .silence }
    func type(andThen happens: () -> Void) throws {
      host.tap("a")
      let requests = host.sent.compactMap { _, message in
        if case .event(let id, _, _) = message { id } else { nil }
      }
      happens()
      let answer =
        #"{"jsonrpc":"2.0","id":\#(try #require(requests.last)),"#
        + #""result":{"edits":[{"insertText":"a"}],"actions":["playInputClick"]}}"#
      host.say(try PluginMessage.decode(Array(answer.utf8)), from: "one")
      host.settle()
    }
    try type {}
    #expect(host.clicks == [DocumentID("a")] && host.text("a") == "a")
    try type { host.focus("b") }
    #expect(host.clicks.count == 1 && host.text("a") == "aa")
    host.focus("a")
    host.settle()
    try type { host.feed(.user(.selectKeyboard("system"))) }
    host.feed(.user(.selectKeyboard("one")))
    host.settle()
    try type {}
    #expect(host.text("a") == "aaaa")
  }

  @Test("of a keyboard are none when the user has them off")
  func keyboardOff() {
    let host = host(keyboards: [SimulatedHost.entry("one")], isOn: false)
    clicks(host)
    #expect(host.clicks.isEmpty)
  }
}
