import HostSimulation
import PluginManifest
import PluginProtocol
import Testing

@testable import KeyboardHost

/// Contacts and the location, as far as the core decides: who is told, and what the log says of it.
@Suite("Services")
struct ServiceTests {
  private static func entry(
    access: Bool = true, declared: Set<KeyboardService> = [.contacts, .location],
    granted: Set<KeyboardService> = [.contacts, .location]
  ) -> KeyboardEntry {
    var entry = SimulatedHost.entry("one", access: access)
    entry.declaredServices = declared
    entry.services = granted
    return entry
  }

  private func host(_ entry: KeyboardEntry) -> SimulatedHost {
    let host = SimulatedHost(keyboards: [entry])
    host.open("a")
    host.focus("a")
    host.advance(milliseconds: 100)
    return host
  }

  private let page = ContactsPage(contacts: [Contact(givenName: "Ada")], total: 1)

  private func answer(_ host: SimulatedHost, _ answer: ServiceAnswer) {
    guard let (id, request, _) = host.served.last else { return }
    host.feed(.serviceAnswer(id, request: request, answer))
  }

  private func isRefused(_ message: HostMessage?, _ code: Int, _ words: String = "") -> Bool {
    guard case .failure(_, code, let message)? = message else { return false }
    return message.contains(words)
  }

  @Test("a granted service is asked, and its answer goes into the log before it is sent")
  func granted() {
    let host = host(Self.entry())
    var order: [String] = []
    host.observe = { effect in
      switch effect {
      case .audit(let event): order.append(event.kind.rawValue)
      case .send: order.append("send")
      default: break
      }
    }
    host.say(.contacts(id: 7, offset: 3), from: "one")
    #expect(host.served.map(\.2) == [.contacts(offset: 3)])
    answer(host, .contacts(page))
    #expect(host.events().last == .contactsReply(id: 7, page))
    #expect(order == ["service", "send"])
    let event = host.audited(.service).last
    #expect(event?.fields.map(\.name) == ["service", "answers"])
    #expect(event?.fields.map(\.value.plainText) == ["contacts", "1"])
    host.say(.location(id: 8), from: "one")
    answer(host, .unavailable("nowhere"))
    #expect(isRefused(host.events().last, PluginMessage.unavailable, "nowhere"))
    #expect(host.audited(.service).last?.fields.last?.value == .integer(0))
  }

  @Test(
    "without open access, a reason in the manifest or the grant, nobody is asked, and it is logged",
    arguments: [
      (entry(access: false), "no-open-access", "open-access"),
      (entry(declared: [.location]), "not-requested", "NSContactsUsageDescription"),
      (entry(granted: [.location]), "not-granted", "keyhost grant one contacts"),
    ])
  func refused(_ entry: KeyboardEntry, _ reason: String, _ words: String) {
    let host = host(entry)
    host.core.canAskUser = reason != "not-granted"
    host.say(.contacts(id: 1, offset: 0), from: "one")
    #expect(host.served.isEmpty && host.questions.isEmpty)
    #expect(isRefused(host.events().last, PluginMessage.notAuthorized, words))
    let fields = host.audited(.refusal).last?.fields.map(\.value.plainText)
    #expect(fields == ["contacts", reason])
    host.type("b")
    host.settle()
    #expect(host.text("a") == "b" && host.kills == 0)
  }

  @Test("what is revoked while it is asked is not told")
  func revoked() {
    let host = host(Self.entry())
    host.say(.contacts(id: 1, offset: 0), from: "one")
    host.feed(.configuration(HostConfiguration(keyboards: [Self.entry(granted: [])])))
    answer(host, .contacts(page))
    #expect(isRefused(host.events().last, PluginMessage.notAuthorized))
    #expect(host.audited(.service).isEmpty && host.kills == 0)
  }

  @Test("a service that never answers is given up, and its late answer is dropped")
  func late() {
    let host = host(Self.entry())
    host.say(.location(id: 1), from: "one")
    host.advance(milliseconds: HostDeadlines().service - 1)
    let before = host.sent.count
    host.advance(milliseconds: 2)
    #expect(isRefused(host.events().last, PluginMessage.unavailable, "in time"))
    #expect(host.sent.count == before + 1)
    answer(host, .contacts(page))
    #expect(host.sent.count == before + 1)
    host.type("b")
    host.settle()
    #expect(host.text("a") == "b")
  }

  @Test("a flood is refused beyond a few at a time, and a second use of an id ends the session")
  func flood() {
    let host = host(Self.entry())
    for id in 0..<200 { host.say(.location(id: Int64(id)), from: "one") }
    #expect(host.served.count == HostCore.maximumQuestions)
    #expect(isRefused(host.events().last, PluginMessage.tooMany))
    host.say(.location(id: 0), from: "one")
    #expect(host.kills == 1)
  }

  @Test("answers cannot be had without end")
  func rate() {
    let host = host(Self.entry())
    for id in 0..<200 {
      host.say(.contacts(id: Int64(id), offset: 0), from: "one")
      answer(host, .contacts(page))
    }
    #expect(host.served.count == 64)
    host.advance(milliseconds: 2_000)
    host.say(.contacts(id: 999, offset: 0), from: "one")
    #expect(host.served.count == 65)
  }

  @Test("a frozen keyboard hears its answer when it goes on, and the user is not asked for it")
  func frozen() {
    let host = host(Self.entry(granted: [.contacts]))
    host.core.canAskUser = true
    host.say(.contacts(id: 1, offset: 0), from: "one")
    host.open("secret", secure)
    host.focus("secret")
    host.advance(milliseconds: 100)
    let before = host.sent.count
    answer(host, .contacts(page))
    host.say(.location(id: 2), from: "one")
    #expect(host.sent.count == before && host.questions.isEmpty)
    host.focus("a")
    host.advance(milliseconds: 100)
    #expect(host.events(since: before).contains(.contactsReply(id: 1, page)))
    #expect(host.events(since: before).contains { isRefused($0, PluginMessage.notAuthorized) })
  }

  @Test("the user is asked once, keys go on meanwhile, and what waited is answered by the decision")
  func asked() {
    let host = host(Self.entry(granted: []))
    host.core.canAskUser = true
    host.say(.contacts(id: 1, offset: 0), from: "one")
    host.say(.contacts(id: 2, offset: 0), from: "one")
    #expect(host.questions.map(\.1) == [.contacts] && host.served.isEmpty)
    host.type("b")
    host.settle()
    host.advance(milliseconds: 60_000)
    #expect(host.text("a") == "b" && host.kills == 0)
    host.feed(.configuration(HostConfiguration(keyboards: [Self.entry(granted: [.contacts])])))
    host.feed(.userDecided(keyboard: "one", .contacts))
    #expect(host.served.count == 2)
    answer(host, .contacts(page))
    #expect(host.events().last == .contactsReply(id: 2, page))
    // One who said no is not asked again.
    host.say(.location(id: 3), from: "one")
    host.feed(.userDecided(keyboard: "one", .location))
    #expect(isRefused(host.events().last, PluginMessage.notAuthorized))
    host.say(.location(id: 4), from: "one")
    #expect(host.questions.count == 2)
    #expect(isRefused(host.events().last, PluginMessage.notAuthorized))
  }

  @Test("before its session began a keyboard may ask nothing")
  func early() {
    let host = SimulatedHost(keyboards: [Self.entry()])
    host.start = { .ready(afterMilliseconds: 1_000) }
    host.open("a")
    host.focus("a")
    host.say(.location(id: 1), from: "one")
    #expect(host.kills == 1 && host.served.isEmpty)
  }
}
