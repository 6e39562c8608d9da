import KeyboardHost
import PluginManifest
import PluginProtocol

/// Judges each effect of the core when it comes.
struct EffectWatch {
  private enum State { case launched, initializing, ready }

  /// The keyboards of the configuration in force.
  var configured: Set<String> = []
  /// The services that each of them may use.
  var granted: [String: Set<KeyboardService>] = [:]
  /// The first thing that was wrong.
  private(set) var finding: String?
  private var states: [InstanceID: State] = [:]
  private var frozen: Set<InstanceID> = []
  /// Those of them that are known to stand still.
  private var stopped: Set<InstanceID> = []
  private var incognito: Set<InstanceID> = []
  private var keyboards: [InstanceID: String] = [:]
  /// What the user was asked.
  private var questions: Set<String> = []
  /// Killed, and not known to have ended.
  private var dying: Set<InstanceID> = []
  private var isAuditLost = false
  private var focused: DocumentID?
  /// The request of `initialize` that each process owes an answer to.
  private var requests: [InstanceID: Int64] = [:]

  mutating func see(_ input: CoreInput) {
    switch input {
    case .auditUnavailable: isAuditLost = true
    case .focus(let id): focused = id
    case .close(let id) where id == focused: focused = nil
    case .ended(let id):
      incognito.remove(id)
      dying.remove(id)
    case .stopped(let id) where frozen.contains(id): stopped.insert(id)
    case .message(let id, .response(let request, _)) where request == requests[id]:
      requests[id] = nil
      states[id] = .ready
    default: break
    }
  }

  /// When everything that an input led to is done.
  mutating func seeRest() {
    note(!isAuditLost || states.isEmpty, "a keyboard runs although nothing can be logged")
  }

  mutating func see(_ effect: CoreEffect) {
    switch effect {
    case .launch(let id, let keyboard, let kind):
      note(configured.contains(keyboard), "\(keyboard) is started, which is not enabled")
      note(states[id] == nil, "a process is started twice")
      note(incognito.isEmpty, "a keyboard is started beside an incognito instance")
      if kind == .incognito {
        note(states.keys.allSatisfy(stopped.contains), "an incognito instance has company")
        note(dying.isEmpty, "an incognito instance is started beside what has not ended")
        incognito.insert(id)
      }
      states[id] = .launched
      keyboards[id] = keyboard
    case .send(let id, let message): send(message, to: id)
    case .freeze(let id):
      note(states[id] == .ready && frozen.insert(id).inserted, "a freeze of what cannot be frozen")
    case .resume(let id):
      note(states[id] != nil && frozen.remove(id) != nil, "what is not frozen is resumed")
      note(incognito.isEmpty, "a keyboard is resumed beside an incognito instance")
      stopped.remove(id)
    case .kill(let id):
      note(states.removeValue(forKey: id) != nil, "what does not run is killed")
      frozen.remove(id)
      stopped.remove(id)
      dying.insert(id)
      requests[id] = nil
    case .present(let presentation):
      note(presentation.document == focused, "a field without focus is shown")
      if let keyboard = presentation.keyboard {
        note(presentation.decision.isEligible, "\(keyboard) is shown where it is refused")
      }
    case .serve(let id, _, let question):
      note(states[id] == .ready, "a service is asked for a keyboard whose session has not begun")
      judge(question.service, of: id, "asked for")
    case .askUser(let keyboard, let service):
      note(
        keyboards.contains {
          $1 == keyboard && states[$0] == .ready && !frozen.contains($0) && !incognito.contains($0)
        }, "the user is asked for a keyboard that serves no field")
      note(
        questions.insert("\(keyboard) \(service)").inserted,
        "the user is asked for \(service) twice")
    case .audit, .handled, .edited, .changed, .dismissed, .rejected, .dropped, .refused, .closed,
      .format, .click, .ask:
      break
    }
  }

  /// No service without its grant, and none for an instance that forgets.
  private mutating func judge(_ service: KeyboardService, of id: InstanceID, _ what: String) {
    note(!incognito.contains(id), "\(service) is \(what) an incognito instance")
    note(
      granted[keyboards[id] ?? ""]?.contains(service) == true,
      "\(service) is \(what) a keyboard without a grant")
  }

  private mutating func send(_ message: HostMessage, to id: InstanceID) {
    guard let state = states[id] else { return note(false, "a message to what does not run") }
    note(!frozen.contains(id), "a message to a frozen keyboard")
    let text = String(decoding: message.encoded(), as: UTF8.self)
    note(
      !text.unicodeScalars.contains { "Жж秘🔑".unicodeScalars.contains($0) },
      "text of a secure field is sent to a keyboard")
    note(
      incognito.contains(id) || !text.unicodeScalars.contains("Ђ"),
      "text of an incognito field is sent to an ordinary instance")
    switch message {
    case .contactsReply: judge(.contacts, of: id, "told to")
    case .locationReply: judge(.location, of: id, "told to")
    default: break
    }
    switch message {
    case .initialize(let request, _):
      note(state == .launched, "a second initialize")
      states[id] = .initializing
      requests[id] = request
    default: note(state == .ready, "\(message) before initialize was answered")
    }
  }

  private mutating func note(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition, finding == nil { finding = message() }
  }
}
