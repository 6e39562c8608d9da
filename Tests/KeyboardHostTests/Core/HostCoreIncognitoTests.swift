import HostSimulation
import PluginManifest
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

/// A field for a card's number.
var card: TextInputTraits {
  var traits = TextInputTraits()
  traits.textContentType = .known(.creditCardNumber)
  return traits
}

/// A field of a private window, with ordinary keys.
var privateField: TextInputTraits {
  var traits = TextInputTraits()
  traits.isPrivate = .known(true)
  return traits
}

@Suite("Incognito fields, and the instance that forgets")
struct HostCoreIncognitoTests {
  private static let lexicon = [LexiconEntry(userInput: "Ann", documentText: "Ann")]

  func host(
    _ keyboards: [KeyboardEntry] = [SimulatedHost.entry("one", access: true)]
  ) -> SimulatedHost {
    let host = SimulatedHost(keyboards: keyboards, lexicon: Self.lexicon)
    host.takesHardwareKeys = true
    host.open("normal")
    host.open("card", card)
    return host
  }

  @Test("a second instance serves the field, without open access, and the first goes on after it")
  func swap() throws {
    let host = host()
    var effects: [CoreEffect] = []
    host.observe = { effects.append($0) }
    host.focus("normal")
    host.type("a")
    host.settle()
    let ordinary = try #require(host.running("one"))
    host.focus("card")
    host.type("41")
    host.settle()
    let incognito = try #require(host.incognitoLaunches.first)
    #expect(host.handled.map(\.handler) == Array(repeating: .keyboard("one"), count: 3))
    #expect(host.presentations.last?.keyboard == "one")
    #expect(host.presentations.last?.decision.isIncognito == true)
    host.focus("normal")
    host.type("b")
    host.settle()
    #expect(host.text("normal") == "ab" && host.text("card") == "41")
    #expect(host.launches == ["one", "one"] && host.incognitoLaunches == [incognito])
    #expect(host.running("one") == ordinary)
    let access = effects.compactMap { effect -> Bool? in
      if case .send(_, .initialize(_, let request)) = effect { return request.hasFullAccess }
      return nil
    }
    #expect(access == [true, false])
    // It is killed before the other goes on.
    let killed = try #require(
      effects.firstIndex { if case .kill(incognito) = $0 { true } else { false } })
    let resumed = try #require(
      effects.firstIndex { if case .resume(ordinary) = $0 { true } else { false } })
    #expect(killed < resumed)
  }

  @Test("it is not started before every other instance stands still, and no key is handled either")
  func stopsFirst() {
    let host = host([SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.feed(.user(.selectKeyboard("two")))
    host.advance(milliseconds: 5)
    #expect(host.launches == ["one", "two"])
    host.stopDelay = 30
    host.focus("card")
    host.type("4")
    host.advance(milliseconds: 29)
    #expect(host.incognitoLaunches.isEmpty && host.handled.count == 1)
    host.advance(milliseconds: 10)
    #expect(host.incognitoLaunches.count == 1)
    #expect(host.audited(.freeze).count == 2)
    #expect(host.text("card") == "4")
  }

  @Test("one that cannot be stopped is killed, and then the field is served")
  func unstoppable() {
    let host = host()
    host.focus("normal")
    host.advance(milliseconds: 5)
    host.stopDelay = nil
    host.focus("card")
    host.type("4")
    host.advance(milliseconds: 199)
    #expect(host.incognitoLaunches.isEmpty && host.kills == 0)
    host.settle()
    host.advance(milliseconds: 2_000)
    #expect(host.text("card") == "4")
    #expect(host.kills == 1)
  }

  @Test("nothing at all is said to the ordinary instance about the field")
  func silence() throws {
    let host = host()
    host.focus("normal")
    host.advance(milliseconds: 10)
    let ordinary = try #require(host.running("one"))
    let before = host.sent.count
    host.focus("card")
    host.type("4111")
    host.settle()
    host.feed(.appEdit(DocumentID("card"), .replaceText("5500", selection: nil)))
    host.feed(.traits(DocumentID("card"), privateField))
    host.type("6")
    host.settle()
    #expect(host.sent.dropFirst(before).allSatisfy { $0.0 != ordinary })
    host.focus("normal")
    host.settle()
    for (id, message) in host.sent.dropFirst(before) where id == ordinary {
      #expect(!String(decoding: message.encoded(), as: UTF8.self).contains("5500"))
    }
    // Each instance knows the field by a name of its own.
    let names = host.sent.compactMap { id, message -> String? in
      if case .focus(let state) = message { state.documentIdentifier } else { nil }
    }
    host.focus("card")
    host.settle()
    let again = try #require(
      host.sent.last { if case .focus = $0.1 { true } else { false } }.flatMap {
        if case .focus(let state) = $0.1 { state.documentIdentifier } else { nil }
      })
    #expect(!names.contains(again) && Set(names).count == 2)
  }

  @Test("it gets no lexicon; the ordinary one does")
  func lexicon() throws {
    let host = host()
    func entries() -> [LexiconEntry]? {
      host.say(.lexicon(id: 9), from: "one")
      if case .lexiconReply(_, let entries)? = host.sent.last?.1 { return entries }
      return nil
    }
    host.focus("normal")
    host.advance(milliseconds: 10)
    #expect(entries() == Self.lexicon)
    host.focus("card")
    host.advance(milliseconds: 10)
    #expect(entries() == [])
  }

  @Test("it is told nothing by any service, and the user is not asked for it")
  func services() throws {
    var entry = SimulatedHost.entry("one", access: true)
    entry.declaredServices = Set(KeyboardService.allCases)
    entry.services = [.contacts]
    let host = host([entry])
    host.core.canAskUser = true
    host.focus("normal")
    host.advance(milliseconds: 10)
    host.say(.contacts(id: 7, offset: 0), from: "one")
    let waiting = try #require(host.served.last)
    host.focus("card")
    host.advance(milliseconds: 10)
    let incognito = try #require(host.incognitoLaunches.first)
    #expect(host.running("one") == incognito)
    host.say(.contacts(id: 7, offset: 0), from: "one")
    host.say(.location(id: 8), from: "one")
    #expect(host.served.count == 1 && host.questions.isEmpty)
    let page = ContactsPage(contacts: [Contact(givenName: "Ada")], total: 1)
    host.feed(.serviceAnswer(waiting.0, request: 7, .contacts(page)))
    host.feed(.serviceAnswer(incognito, request: 7, .contacts(page)))
    let told = host.sent.filter { $0.0 == incognito }.map(\.1)
    let refused = told.compactMap { message -> Int? in
      if case .failure(_, let code, _) = message { code } else { nil }
    }
    #expect(refused == [PluginMessage.notAuthorized, PluginMessage.notAuthorized])
    #expect(!host.sent.contains { $0.1 == .contactsReply(id: 7, page) })
    let reasons = host.audited(.refusal).compactMap { $0.fields.last?.value.plainText }
    #expect(reasons == ["incognito", "incognito"])
    host.focus("normal")
    host.advance(milliseconds: 10)
    #expect(host.sent.contains { $0 == waiting.0 && $1 == .contactsReply(id: 7, page) })
  }

  @Test("keys that are typed while it starts wait for it, in their order")
  func whileStarting() {
    let host = host()
    host.start = { .ready(afterMilliseconds: 300) }
    host.focus("card")
    host.type("4111")
    host.advance(milliseconds: 200)
    #expect(host.handled.isEmpty)
    host.type("22")
    host.settle()
    #expect(host.text("card") == "411122")
    #expect(host.handled.allSatisfy { $0.handler == .keyboard("one") })
  }

  @Test("keys of a field that lost the focus are not lost, and come to their own field")
  func leftBehind() {
    let host = host()
    host.start = { .ready(afterMilliseconds: 300) }
    host.focus("card")
    host.type("41")
    host.advance(milliseconds: 20)
    host.focus("normal")
    host.type("ab")
    host.settle()
    #expect(host.text("card") == "41" && host.text("normal") == "ab")
    #expect(host.handled.prefix(2).allSatisfy { $0.reason == .incognitoOver })
    // And an event that the instance has not answered.
    host.start = { .ready(afterMilliseconds: 1) }
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.focus("card")
    host.advance(milliseconds: 10)
    host.type("52")
    host.advance(milliseconds: 1)
    host.focus(nil)
    #expect(host.text("card") == "4152")
    host.settle()
    #expect(host.text("card") == "4152")
  }

  @Test(
    "it ends with its focus, however that goes",
    arguments: ["nothing", "other", "secure", "incognito", "close", "system"])
  func ends(way: String) throws {
    let host = host()
    host.open("secure", secure)
    host.open("other card", card)
    host.focus("card")
    host.type("4")
    host.settle()
    let incognito = try #require(host.running("one"))
    switch way {
    case "nothing": host.focus(nil)
    case "other": host.focus("normal")
    case "secure": host.focus("secure")
    case "incognito": host.focus("other card")
    case "close": host.feed(.close(DocumentID("card")))
    default: host.feed(.user(.selectKeyboard("system")))
    }
    #expect(host.kills == 1 && host.running("one") != incognito)
    let exit = try #require(host.audited(.exit).last)
    #expect(exit.fields.contains(.incognito))
    host.settle()
    if way == "incognito" { #expect(host.incognitoLaunches.count == 2) }
    if way == "close" {
      #expect(host.closed.map(\.1) == ["4"])
    } else {
      host.focus("card")
      if way == "system" { host.feed(.user(.selectKeyboard("one"))) }
      host.type("2")
      host.settle()
      #expect(host.text("card") == "42")
      #expect(host.running("one") != incognito)
    }
  }

  @Test("the globe key ends one keyboard's instance and starts the next one's")
  func globe() throws {
    let host = host([SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.focus("card")
    host.type("4")
    host.settle()
    let first = try #require(host.running("one"))
    // Once by the person, once by the keyboard itself.
    host.feed(.user(.nextKeyboard))
    host.settle()
    #expect(host.running("one") == nil)
    let second = try #require(host.running("two"))
    #expect(host.incognitoLaunches == [first, second])
    host.say(
      .transaction(
        id: 5, documentIdentifier: name(of: second, host),
        revision: host.core.text(of: DocumentID("card"))!.revision,
        Transaction(actions: [.advanceToNextInputMode])), from: "two")
    #expect(host.running("two") == nil)
    #expect(host.presentations.last?.keyboard == nil, "the system keyboard is next")
    #expect(host.text("card") == "4")
  }

  private func name(of id: InstanceID, _ host: SimulatedHost) -> String {
    for case (id, .focus(let state)) in host.sent { return state.documentIdentifier }
    return ""
  }

  @Test("a field that turns incognito is taken from the ordinary instance at once, and stays so")
  func turning() throws {
    let host = host()
    host.behaviour = { _ in .answer(afterMilliseconds: 50) }
    host.focus("normal")
    host.advance(milliseconds: 10)
    let ordinary = try #require(host.running("one"))
    host.type("ab")
    host.advance(milliseconds: 1)
    let before = host.sent.count
    host.feed(.traits(DocumentID("normal"), privateField))
    #expect(
      host.text("normal") == "a", "the one that was on its way is typed by the system keyboard")
    host.type("c")
    host.settle()
    #expect(host.text("normal") == "abc")
    #expect(host.handled.last?.handler == .keyboard("one"))
    host.feed(.traits(DocumentID("normal"), TextInputTraits()))
    host.type("d")
    host.settle()
    #expect(host.sent.dropFirst(before).allSatisfy { $0.0 != ordinary })
    #expect(host.incognitoLaunches.count == 1)
    #expect(host.presentations.last?.decision.reasons.first == .stickyIncognito)
    // And one that turns secure is nobody's.
    host.feed(.traits(DocumentID("normal"), secure))
    host.type("e")
    host.settle()
    #expect(host.handled.last?.handler == .system && host.text("normal") == "abcde")
    #expect(host.running("one") == ordinary)
  }

  @Test("where it cannot be started the system keyboard serves, and the keyboard is not taken away")
  func cannotStart() {
    let host = host()
    host.start = { .failLaunch }
    host.focus("card")
    for _ in 0..<12 {
      host.type("4")
      host.settle()
      host.advance(milliseconds: 3_000)
    }
    #expect(host.text("card") == String(repeating: "4", count: 12))
    #expect(host.handled.allSatisfy { $0.handler == .system })
    let failures = host.audited(.launchFailed)
    #expect(failures.count == 5 && failures.allSatisfy { $0.fields.contains(.incognito) })
    #expect(host.handled.last?.reason == .disabled)
    host.start = { .ready(afterMilliseconds: 1) }
    host.focus("normal")
    host.type("a")
    host.settle()
    #expect(host.handled.last?.handler == .keyboard("one"))
    // The user's doing something about it is a reason to try again.
    host.feed(
      .configuration(HostConfiguration(keyboards: [SimulatedHost.entry("one")])))
    host.focus("card")
    host.type("5")
    host.settle()
    #expect(host.handled.last?.handler == .keyboard("one"))
  }

  @Test("what it said in breaking the protocol is not told, and its keys are not remembered")
  func breach() throws {
    let host = host()
    host.focus("card")
    host.type("4")
    host.settle()
    host.say(.response(id: 4_111_111_111_111_111, SimulatedHost.json { $0.null() }), from: "one")
    #expect(host.running("one") == nil)
    let lines = host.audits.map { "\($0.fields)" }
    #expect(lines.allSatisfy { !$0.contains("4111111111111111") })
    #expect(host.core.health["one"]?.lastLayout == nil)
  }

  @Test("the system keyboard asks for nothing of the lexicon there")
  func systemKeyboard() {
    let host = SimulatedHost(keyboards: [], lexicon: Self.lexicon)
    host.open("normal", text: "x ")
    host.open("private", text: "x ", privateField)
    for field in ["normal", "private"] {
      host.focus(field)
      host.tap("system.a")
      host.tap("system.n")
    }
    #expect(host.asked.map(\.2.allowsLexicon) == [true, true, false, false])
    host.feed(.traits(DocumentID("private"), TextInputTraits()))
    host.tap("system.e")
    #expect(host.asked.count == 5)
    #expect(host.asked.last?.2.allowsLexicon == false, "what was private once stays so")
  }
}
