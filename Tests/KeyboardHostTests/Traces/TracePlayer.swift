import HostSimulation
import PluginManifest
import PluginProtocol
import StrictJSON
import TextInput

@testable import KeyboardHost

/// Plays a trace file: does what its `>`, `>>` and `!` lines say, and writes it again with what
/// really followed. `Tests/Traces/README.md` describes the form.
final class TracePlayer {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private let host: SimulatedHost
  private var output: [String] = []
  private var names: [InstanceID: String] = [:]
  private var shownKeys: [String] = []

  private init(_ setup: TraceSetup) {
    host = SimulatedHost(
      keyboards: setup.keyboards, systemPosition: setup.systemPosition, lexicon: setup.lexicon,
      typing: setup.typing)
    host.feed(.configuration(setup.configuration))
    host.core.canAskUser = setup.asksUser
    host.observe = { [unowned self] in note($0) }
    host.observeInput = { [unowned self] in note($0) }
  }

  /// - Returns: the file as it should be.
  static func play(_ text: String) throws -> String {
    var setup = TraceSetup()
    var player: TracePlayer?
    var result: [String] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.dropLast().enumerated() {
      do {
        switch line.first {
        case nil, "#": result.append(line)
        case "!", ">":
          result.append(line)
          if line.hasPrefix("! {"), player == nil {
            try setup.read(JSONDocument(parsing: Array(line.dropFirst(2).utf8)).root)
            continue
          }
          let running = player ?? TracePlayer(setup)
          player = running
          if line.hasPrefix("! {") {
            try setup.read(JSONDocument(parsing: Array(line.dropFirst(2).utf8)).root)
            running.host.core.canAskUser = setup.asksUser
            running.host.feed(.configuration(setup.configuration))
            running.settle()
          } else if line.hasPrefix("! ") {
            try running.direct(line.dropFirst(2).split(separator: " ").map(String.init))
          } else {
            let waits = !line.hasPrefix(">> ")
            try running.take(
              ScriptStep(decoding: Array(line.dropFirst(waits ? 2 : 3).utf8)), settles: waits)
          }
          result += running.takeOutput()
        default: break
        }
      } catch {
        throw Fault(description: "line \(index + 1), `\(line)`: \(error)")
      }
    }
    return result.map { $0 + "\n" }.joined()
  }

  private func takeOutput() -> [String] {
    defer { output = [] }
    return output
  }

  // MARK: What is done

  private func take(_ step: ScriptStep, settles: Bool) throws {
    switch step {
    case .input(let input): host.feed(input)
    case .text(let text): host.type(text)
    case .keys(let text):
      for character in text {
        var isTapped = false
        while !isTapped {
          guard let layout = host.core.shownLayout,
            let next = ScriptRunner.nextKey(for: character, in: layout)
          else { throw Fault(description: "no key for \(character) is shown") }
          host.tap(next.key.id)
          settle()
          isTapped = next.isLast
        }
      }
    case .wait(let milliseconds): return host.advance(milliseconds: milliseconds)
    }
    if settles { settle() }
  }

  /// As a script does it: the next line is read when all before it was handled.
  private func settle() { host.settle(limit: 400) }

  private func direct(_ words: [String]) throws {
    let rest = words.dropFirst(2).joined(separator: " ")
    switch words.prefix(2).joined(separator: " ") {
    case "start after": host.start = { .ready(afterMilliseconds: UInt64(rest) ?? 0) }
    case "start fails": host.start = { .failLaunch }
    case "start crashes": host.start = { .crash }
    case "start never": host.start = { .silence }
    case "answer after": host.behaviour = { _ in .answer(afterMilliseconds: UInt64(rest) ?? 0) }
    case "answer twice": host.behaviour = { _ in .answerTwice }
    case "answer never": host.behaviour = { _ in .silence }
    case "answer crash": host.behaviour = { _ in .crash }
    case "answer garbage": host.behaviour = { _ in .garbage }
    case "answer error": host.behaviour = { _ in .errorAnswer }
    case "answer decline": host.behaviour = { _ in .decline }
    case "answer unknown": host.behaviour = { _ in .unknownRequest }
    case "answer broken": host.behaviour = { _ in .breakEdit }
    case "stop after": host.stopDelay = UInt64(rest) ?? 0
    case "stop never": host.stopDelay = nil
    case "hardware keys": host.takesHardwareKeys = true
    case "log fails": host.auditFails = true
    case "view own": host.feed(.inputView(DocumentID(rest), isOwn: true))
    case "view host": host.feed(.inputView(DocumentID(rest), isOwn: false))
    case "host ends": host.feed(.shutDown)
    case "service answered":
      let value = try JSONDocument(parsing: Array(rest.utf8)).root
      guard let (id, request, _) = host.served.last else {
        throw Fault(description: "nobody asked")
      }
      let names = value["contacts"]?.elements?.compactMap(\.string) ?? []
      let page = ContactsPage(
        contacts: names.map { Contact(givenName: $0) }, total: names.count)
      host.feed(
        .serviceAnswer(
          id, request: request,
          value["unavailable"]?.string.map { .unavailable($0) } ?? .contacts(page)))
    case "word answered":
      let value = try JSONDocument(parsing: Array(rest.utf8)).root
      guard let asked = host.asked.last else { throw Fault(description: "nobody asked") }
      host.feed(
        .wordAnswer(
          asked.0, revision: asked.revision,
          WordAnswer(
            word: asked.2.word, correction: value["correction"]?.string,
            suggestions: value["suggestions"]?.elements?.compactMap(\.string) ?? [])))
    default: try direct(words, rest)
    }
  }

  private func direct(_ words: [String], _ rest: String) throws {
    if words[0] == "decided", let service = KeyboardService(rawValue: rest) {
      return host.feed(.userDecided(keyboard: words[1], service))
    }
    guard words.count >= 2, let id = host.running(words[1]) else {
      throw Fault(description: "nobody knows what that is, or no such keyboard runs")
    }
    switch words[0] {
    case "wake": host.feed(.continuedWhileFrozen(id))
    case "exit": host.feed(.exited(id, description: rest))
    case "attach": host.feed(.debugger(id, isAttached: true))
    case "detach": host.feed(.debugger(id, isAttached: false))
    case "say":
      do throws(ProtocolError) {
        host.feed(.message(id, try PluginMessage.decode(Array(rest.utf8))))
      } catch { host.feed(.protocolError(id, error)) }
      settle()
    default: throw Fault(description: "nobody knows what that is")
    }
  }

  // MARK: What follows

  /// The same in every message, and left out.
  private static let version = #"{"jsonrpc":"2.0","#

  private func name(_ id: InstanceID) -> String { names[id] ?? "?\(id.rawValue)" }

  private func note(_ input: CoreInput) {
    guard case .message(let id, let message) = input else { return }
    let text =
      switch message {
      case .response(let id, let value):
        value["layout"] == nil
          ? "answer \(id) \(String(decoding: value.source, as: UTF8.self))"
          : "answer \(id), with its layout"
      case .errorResponse(let id, let code, let message): "error \(id) \(code) \(message)"
      case .transaction(let id, let document, let revision, let transaction):
        "transaction \(id) for \(document) at \(revision) "
          + SimulatedHost.text { transaction.encode(into: &$0) }
      case .lexicon(let id): "lexicon \(id)"
      case .contacts(let id, let offset): "contacts \(id) from \(offset)"
      case .location(let id): "location \(id)"
      }
    output.append("  \(name(id)) says \(text)")
  }

  private func note(_ effect: CoreEffect) {
    switch effect {
    case .launch(let id, let keyboard, let kind):
      names[id] = "\(keyboard)#\(id.rawValue)"
      output.append("  \(name(id)) is launched\(kind == .incognito ? ", incognito" : "")")
    case .send(let id, let message):
      var line = String(decoding: message.encoded().dropLast(), as: UTF8.self)
      if line.hasPrefix(Self.version) { line = "{" + line.dropFirst(Self.version.count) }
      output.append("  \(name(id)) is told \(line)")
    case .freeze(let id): output.append("  \(name(id)) is frozen")
    case .resume(let id): output.append("  \(name(id)) is resumed")
    case .kill(let id): output.append("  \(name(id)) is killed")
    case .audit(let event): output.append("  log: \(event.traced)")
    case .handled(let handled): output.append("  handled: \(handled.traced)")
    case .edited(let id, let keyboard, let revision):
      output.append("  edited: \(id) by \(keyboard), revision \(revision)")
    case .changed(let id):
      output.append("  field \(id): \(host.core.text(of: id)?.traced ?? "closed")")
    case .present(let presentation): note(presentation)
    case .dismissed(let id): output.append("  app of \(id): the keyboard is dismissed")
    case .format(let id, let command):
      output.append("  app of \(id): asked for \(command.rawValue) text")
    case .click(let id): output.append("  a key of \(id) is heard")
    case .closed(let id, let text): output.append("  closed \(id): \(text.debugDescription)")
    case .ask(let id, let revision, let question):
      output.append("  ask: \(id) at \(revision) about \(question.word.debugDescription)")
    case .rejected(let message): output.append("  rejected: \(message)")
    case .dropped(let ticket): output.append("  dropped: ticket \(ticket)")
    case .serve(let id, let request, let question):
      output.append("  \(name(id)) is served \(question) for \(request)")
    case .askUser(let keyboard, let service):
      output.append("  the user is asked: \(service.rawValue) for \(keyboard)")
    case .refused(let id): output.append("  app of \(id): the edit is refused")
    }
  }

  private func note(_ shown: Presentation) {
    var parts = [
      shown.keyboard ?? "system", shown.decision.reasons.map(\.code).joined(separator: " "),
    ]
    if !shown.suggestions.isEmpty { parts.append("bar \(shown.suggestions)") }
    if shown.keySpan != LayoutEnvironment().keySpan { parts.append("keys at \(shown.keySpan)") }
    if let prompt = shown.undoPrompt {
      parts.append("undo \(prompt.canUndo)? redo \(prompt.canRedo)?")
    }
    output.append("  shown for \(shown.document): \(parts.joined(separator: ", "))")
    let keys = shown.layout.rows.map { $0.map(\.label).joined(separator: " ") }
    guard keys != shownKeys else { return }
    shownKeys = keys
    for row in keys { output.append("    | \(row)") }
  }
}

/// The user's choices in a trace, from its `! {…}` lines.
struct TraceSetup {
  var keyboards = [SimulatedHost.entry("one")]
  var systemPosition: Int?
  var lexicon: [LexiconEntry] = []
  var typing = SystemKeyboardSettings()
  var environment = LayoutEnvironment()
  var language: String?
  /// Whether there is a user who can be asked.
  var asksUser = false

  var configuration: HostConfiguration {
    HostConfiguration(
      keyboards: keyboards, systemPosition: systemPosition, lexicon: lexicon,
      environment: environment, systemKeyboard: typing, language: language)
  }

  mutating func read(_ value: JSONValue) throws {
    for (key, member) in value.members ?? [] {
      switch key {
      case "keyboards": keyboards = (member.elements ?? []).map(Self.keyboard)
      case "system": systemPosition = member.int64.map { Int($0) }
      case "lexicon":
        lexicon = (member.members ?? []).map {
          LexiconEntry(userInput: $0.key, documentText: $0.value.string ?? "")
        }
      case "typing": typing = try SystemKeyboardSettings(decoding: member)
      case "orientation":
        environment.orientation = member.string == "landscape" ? .landscape : .portrait
      case "width": environment.width = Int(member.int64 ?? 0)
      case "language": language = member.string
      case "asksUser": asksUser = member.boolean ?? false
      default: throw TracePlayer.Fault(description: "nobody knows the choice `\(key)`")
      }
    }
  }

  /// A name, or an object with it and what is special.
  private static func keyboard(_ value: JSONValue) -> KeyboardEntry {
    if let name = value.string { return SimulatedHost.entry(name) }
    var entry = SimulatedHost.entry(
      value["id"]?.string ?? "", ascii: value["ascii"]?.boolean ?? true,
      access: value["access"]?.boolean ?? false)
    entry.primaryLanguage = value["language"]?.string
    entry.launchKey = value["version"]?.string ?? ""
    func services(_ name: String) -> Set<KeyboardService> {
      Set((value[name]?.elements ?? []).compactMap { KeyboardService(rawValue: $0.string ?? "") })
    }
    entry.declaredServices = services("declares")
    entry.services = services("granted")
    entry.isDebugged = value["debugged"]?.boolean ?? false
    entry.settings = (value["settings"]?.members ?? []).map {
      Setting($0.key, .string($0.value.string ?? ""))
    }
    return entry
  }
}

extension SimulatedHost {
  fileprivate static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return writer.string
  }
}

extension AuditEvent {
  fileprivate var traced: String {
    var writer = JSONWriter()
    writer.beginObject()
    for field in fields {
      writer.key(field.name)
      field.value.write(to: &writer)
    }
    writer.endObject()
    let about = [keyboard, app.map { "app \($0)" }].compactMap(\.self)
    return ([kind.rawValue] + about + [writer.string]).joined(separator: " ")
  }
}

extension HandledInput {
  fileprivate var traced: String {
    let what =
      switch input {
      case .event(let event): SimulatedHost.text { event.encode(into: &$0) }
      case .character(let text): text.debugDescription
      case .nextKeyboard: "the globe key"
      case .selectKeyboard(let name): "a pick of \(name)"
      case .command(let command): command.traced
      }
    let who =
      switch handler {
      case .system: "system"
      case .keyboard(let name): name
      }
    return "\(document) \(what) by \(who), \(reason.code)"
  }
}

extension EditingCommand {
  fileprivate var traced: String {
    switch self {
    case .answerUndo(let answer): "the answer \(answer.rawValue)"
    case .drag(let x, let y): "a drag by \(x), \(y)"
    case .dragEnded: "the end of a drag"
    case .format(let look): "a wish for \(look.rawValue) text"
    default: "a \(self)"
    }
  }
}

extension TextDocument {
  /// The text with the cursor as `|`, a selection in brackets, and what is composed in braces.
  fileprivate var traced: String {
    let window = context()
    let middle =
      window.markedText.map { "{\($0)}" } ?? window.selectedText.map { "[\($0)]" } ?? "|"
    return (window.beforeInput + middle + window.afterInput).debugDescription
  }
}
