import HostSimulation
import KeyboardHost
import PluginManifest
import PluginProtocol
import StrictJSON
import TextInput

/// Drives the host's state machine with a sequence of inputs and faults.
///
/// What the person types comes out complete, in order and in its own field, whatever keyboards do;
/// nothing of a secure field reaches a keyboard; what the core asks its driver for makes sense; its
/// clock never stands still. In hostile runs, keyboards also say what the bytes say, and may edit,
/// so that only the rest is demanded.
func checkSession(_ bytes: [UInt8]) throws(FuzzFinding) {
  let run = SessionRun(bytes)
  run.play()
  try run.judge()
}

private final class SessionRun {
  private static let fields = ["a", "b", "secret", "phone", "card"]
  /// Typed into fields that are secure, and nowhere else.
  private static let secrets: [Character] = ["Ж", "ж", "秘", "🔑"]
  /// Typed into fields that are incognito, and nowhere else.
  private static let forgotten: [Character] = ["Ђ", "a"]
  /// Some are keys of the keyboards, some only the system keyboard types.
  private static let letters: [Character] = ["a", "b", "c", "q", " ", "X", "é", "👨‍👩‍👧"]

  private let host: SimulatedHost
  private let isHostile: Bool
  private var input: FuzzInput
  private var watch = EffectWatch()
  private var typed: [String: String] = [:]
  private var secure: Set<String> = ["secret"]
  private var incognito: Set<String> = ["card"]
  private var closed: Set<String> = []
  private var current: String?
  private var behaviours: [SimulatedHost.Behaviour] = []
  private var starts: [SimulatedHost.Start] = []
  private var mayReject = false
  /// Of requests to services: a second use of an id would be the keyboard's end.
  private var lastRequest: Int64 = 10_000

  init(_ bytes: [UInt8]) {
    input = FuzzInput(bytes)
    let mode = input.byte()
    isHostile = mode & 1 == 1
    host = SimulatedHost(keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    host.takesHardwareKeys = mode & 2 == 2
    host.core.canAskUser = mode & 4 == 4
    watch.configured = ["one", "two"]
  }

  func play() {
    host.observe = { [unowned self] in watch.see($0) }
    host.observeInput = { [unowned self] in watch.see($0) }
    host.behaviour = { [unowned self] _ in
      behaviours.isEmpty ? .answer(afterMilliseconds: 0) : behaviours.removeFirst()
    }
    host.start = { [unowned self] in
      starts.isEmpty ? .ready(afterMilliseconds: 1) : starts.removeFirst()
    }
    for field in Self.fields { open(field) }
    focus("a")
    for _ in 0..<400 where !input.isAtEnd {
      step()
      watch.seeRest()
    }
    // Everything a keyboard could still do or not do is over by then.
    for _ in 0..<40 {
      host.settle()
      host.advance(milliseconds: 2_100)
    }
    host.observe = nil
    host.observeInput = nil
  }

  func judge() throws(FuzzFinding) {
    if let finding = watch.finding { throw FuzzFinding(finding) }
    try demand(host.core.pendingInputs == 0, "inputs wait for ever")
    guard !isHostile else { return }
    for field in Self.fields where !closed.contains(field) {
      let text = host.text(field) ?? ""
      try demand(
        text == typed[field, default: ""],
        "\"\(typed[field, default: ""])\" was typed into \(field), which holds \"\(text)\"")
    }
    if !mayReject {
      try demand(host.rejections.isEmpty, "an input was rejected: \(host.rejections)")
    }
  }

  // MARK: Steps

  private func open(_ field: String) {
    var traits = TextInputTraits()
    if secure.contains(field) { traits.isSecureTextEntry = .known(true) }
    if incognito.contains(field) { traits.textContentType = .known(.creditCardNumber) }
    if field == "phone" { traits.keyboardType = .known(.phonePad) }
    host.open(field, app: field == "b" ? "app" : nil, traits)
    closed.remove(field)
    typed[field] = ""
  }

  private func focus(_ field: String?) {
    current = field.flatMap { closed.contains($0) ? nil : $0 }
    if let field, closed.contains(field) { mayReject = true }
    host.focus(field)
  }

  private func step() {
    switch input.below(24) {
    case 0: focus(input.pick(Self.fields))
    case 1: focus(nil)
    case 2: host.advance(milliseconds: UInt64(input.below(256)))
    case 3: host.advance(milliseconds: UInt64(input.below(256)) * 40)
    case 4: select()
    case 5: configure()
    case 6: host.feed(.appAnswer(app: "app", input.pick(AppAnswer.allCases)))
    case 7: speak()
    case 8: misbehave()
    case 9: seldom(input.below(8))
    case 10: select(current)
    case 11:
      host.stopDelay = input.pick([1, 0, 30, 199, 250, nil])
      host.endDelay = host.stopDelay == 1 ? 0 : host.stopDelay
    case 12: changeTraits()
    case 13: close()
    case 14: if input.below(16) == 0 { host.feed(.shutDown) }
    case 15: starts.append(start())
    case 16, 17: behaviours.append(behaviour())
    default: type()
    }
  }

  private func type() {
    guard let current else { return }
    let letter = input.pick(
      secure.contains(current)
        ? Self.secrets : incognito.contains(current) ? Self.forgotten : Self.letters)
    typed[current, default: ""].append(letter)
    host.type(String(letter))
  }

  private func select() {
    if current == nil { mayReject = true }
    if input.bool() { return host.feed(.user(.nextKeyboard)) }
    mayReject = true
    host.feed(.user(.selectKeyboard(input.pick(["one", "two", "system", "nobody"]))))
  }

  /// The app puts the cursor where it is: nothing changes but, perhaps, the composed text.
  private func select(_ field: String?) {
    guard let field, let text = host.core.text(of: DocumentID(field)) else { return }
    host.feed(.appEdit(DocumentID(field), .select(text.selectedRange)))
  }

  private func configure() {
    let choice = input.byte()
    var keyboards: [KeyboardEntry] = []
    for (index, name) in ["one", "two"].enumerated() where choice >> (4 * index) & 4 == 0 {
      let bits = choice >> (4 * index)
      var entry = SimulatedHost.entry(name, ascii: bits & 2 == 0, access: bits & 1 == 1)
      entry.launchKey = bits & 8 == 0 ? "" : "other"
      if bits & 8 == 0 { entry.settings = [Setting("k", .bool(bits & 1 == 1))] }
      entry.declaredServices = Set(KeyboardService.allCases)
      // Without open access a grant that was left behind is none.
      entry.services = bits & 2 == 0 ? [.contacts] : [.contacts, .location]
      keyboards.append(entry)
    }
    mayReject = true
    watch.configured = Set(keyboards.map(\.identifier))
    watch.granted = Dictionary(
      uniqueKeysWithValues: keyboards.map { ($0.identifier, $0.hasFullAccess ? $0.services : []) })
    host.feed(.configuration(HostConfiguration(keyboards: keyboards)))
  }

  /// The log breaks; a keyboard asks a service; the service or the user answers.
  private func seldom(_ choice: Int) {
    switch choice {
    case 0: host.auditFails = true
    case 1, 2, 3:
      lastRequest += 1
      host.say(
        choice == 1 ? .location(id: lastRequest) : .contacts(id: lastRequest, offset: 0),
        from: input.bool() ? "one" : "two")
    case 4, 5:
      // The last question is answered as often as it comes, the first also when it is late.
      guard let (id, request, question) = choice == 4 ? host.served.last : host.served.first else {
        return
      }
      let answer: ServiceAnswer =
        switch question {
        case .contacts: .contacts(ContactsPage(contacts: [Contact(givenName: "Ǣda")], total: 1))
        case .location:
          Location(latitude: 1, longitude: 2, horizontalAccuracy: 3, timestamp: 4)
            .map(ServiceAnswer.location) ?? .unavailable("nowhere")
        }
      host.feed(.serviceAnswer(id, request: request, answer))
    case 6:
      guard let (keyboard, service) = host.questions.last else { return }
      host.feed(.userDecided(keyboard: keyboard, service))
    default: break
    }
  }

  private func speak() {
    let keyboard = input.bool() ? "one" : "two"
    guard isHostile else {
      // Nothing but a request that changes nothing.
      let revision = UInt64(input.below(4))
      let name = "document-\(1 + input.below(4))"
      return host.say(
        .transaction(
          id: 1, documentIdentifier: name, revision: revision, Transaction()), from: keyboard)
    }
    let line: [UInt8]
    if input.bool() {
      line = input.take(input.below(128))
    } else {
      let revision = input.below(8)
      let name = "document-\(1 + input.below(6))"
      let edits = [
        #"{"insertText":"zz"}"#, #"{"deleteBackward":2}"#, #"{"adjustTextPosition":-1}"#,
        #"{"setMarkedText":"mm","selectedRange":[1,2]}"#, #"{"unmarkText":true}"#,
      ]
      let action = input.pick([#""dismissKeyboard""#, #""advanceToNextInputMode""#, ""])
      let members = #""edits":[\#(input.pick(edits))],"actions":[\#(action)]"#
      if input.bool() {
        line = Array(
          #"{"jsonrpc":"2.0","id":\#(revision),"result":{\#(members)}}"#.utf8)
      } else {
        line = Array(
          (#"{"jsonrpc":"2.0","id":7,"method":"transaction","params":{"documentIdentifier":"\#(name)","#
            + #""revision":\#(revision),\#(members)}}"#).utf8)
      }
    }
    guard let id = host.running(keyboard) else { return }
    do throws(ProtocolError) {
      host.feed(.message(id, try PluginMessage.decode(line)))
    } catch {
      host.feed(.protocolError(id, error))
    }
  }

  private func misbehave() {
    guard let id = host.running(input.bool() ? "one" : "two") else { return }
    switch input.below(6) {
    case 0: host.feed(.continuedWhileFrozen(id))
    case 1: host.feed(.overstepped(id, reason: "too much memory"))
    case 2: host.feed(.unreachable(id, reason: "it closed its input"))
    case 3: host.feed(.exited(id, description: "signal 9"))
    case 4: host.feed(.stopped(id))
    default: host.feed(.launched(id))
    }
  }

  private func changeTraits() {
    guard let current else { return }
    var traits = TextInputTraits()
    switch input.below(5) {
    case 4:
      traits.isPrivate = .known(true)
      incognito.insert(current)
    case 0:
      traits.isSecureTextEntry = .known(true)
      secure.insert(current)
    case 1: traits.keyboardType = .known(.namePhonePad)
    case 2:
      // What nobody knows might be secure.
      traits.textContentType = .unknown("novel")
      secure.insert(current)
    default: break
    }
    host.feed(.traits(DocumentID(current), traits))
  }

  private func close() {
    guard let current else { return }
    host.feed(.close(DocumentID(current)))
    self.current = nil
    closed.insert(current)
    if input.bool() {
      // A new document of the same name: what was meant for the old one may not come into it.
      open(current)
      if input.bool() { focus(current) }
    }
  }

  private func behaviour() -> SimulatedHost.Behaviour {
    switch input.below(10) {
    case 0: .answer(afterMilliseconds: UInt64(input.below(256)))
    case 1: .answer(afterMilliseconds: UInt64(input.below(256)) * 8)
    case 2: .answerTwice
    case 3: .silence
    case 4: .crash
    case 5: .garbage
    case 6: .errorAnswer
    case 7: .decline
    case 8: .unknownRequest
    default: .breakEdit
    }
  }

  private func start() -> SimulatedHost.Start {
    switch input.below(4) {
    case 0: .ready(afterMilliseconds: UInt64(input.below(256)) * 10)
    case 1: .failLaunch
    case 2: .crash
    default: .silence
    }
  }
}
