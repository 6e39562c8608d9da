import KeyboardHost
import PluginManifest
import PluginProtocol
import StrictJSON
import TextInput

/// The core under a virtual clock, with keyboards that are played by a closure.
package final class SimulatedHost {
  /// What a played keyboard does with an event.
  package enum Behaviour {
    case answer(afterMilliseconds: UInt64)
    case answerTwice
    case silence
    case crash
    case garbage
    case errorAnswer
    case decline
    case unknownRequest
    case breakEdit
  }

  /// What a played keyboard does at its start.
  package enum Start {
    case ready(afterMilliseconds: UInt64)
    case failLaunch
    case crash
    case silence
  }

  package let core: HostCore
  package private(set) var now = HostTime(nanoseconds: 1_000_000_000)
  private var schedule: [(at: HostTime, order: Int, input: CoreInput)] = []
  private var order = 0
  private var living: [InstanceID: String] = [:]
  private var stopped: Set<InstanceID> = []
  /// What a stopped process would have said, delivered when it goes on.
  private var held: [InstanceID: [CoreInput]] = [:]

  package var behaviour: (InputEvent) -> Behaviour = { _ in .answer(afterMilliseconds: 0) }
  package var start: () -> Start = { .ready(afterMilliseconds: 1) }
  /// How long a stop takes; nil never happens.
  package var stopDelay: UInt64? = 1
  /// How long the end of one that was killed takes; nil never happens.
  package var endDelay: UInt64? = 0
  package var takesHardwareKeys = false
  package var auditFails = false
  /// Sees each effect before it is done, in order.
  package var observe: ((CoreEffect) -> Void)?
  /// Sees each input before the core does.
  package var observeInput: ((CoreInput) -> Void)?
  private var launchesRefused = false
  private var wanted: [CoreEffect] = []
  private var isPerforming = false

  package private(set) var audits: [AuditEvent] = []
  package private(set) var handled: [HandledInput] = []
  package private(set) var sent: [(InstanceID, HostMessage)] = []
  package private(set) var launches: [String] = []
  /// Those of ``launches`` that were of instances that forget.
  package private(set) var incognitoLaunches: [InstanceID] = []
  package private(set) var kills = 0
  package private(set) var presentations: [Presentation] = []
  package private(set) var rejections: [String] = []
  package private(set) var dismissed: [DocumentID] = []
  package private(set) var asked: [(DocumentID, revision: UInt64, WordQuestion)] = []
  package private(set) var formats: [(DocumentID, RichTextCommand)] = []
  package private(set) var clicks: [DocumentID] = []
  package private(set) var served: [(InstanceID, Int64, ServiceQuestion)] = []
  package private(set) var questions: [(String, KeyboardService)] = []
  package private(set) var closed: [(DocumentID, String)] = []

  package init(
    keyboards: [KeyboardEntry] = [SimulatedHost.entry("one")], systemPosition: Int? = nil,
    lexicon: [LexiconEntry] = [], typing: SystemKeyboardSettings = SystemKeyboardSettings()
  ) {
    var made = 0
    core = HostCore(
      configuration: HostConfiguration(
        keyboards: keyboards, systemPosition: systemPosition, lexicon: lexicon,
        systemKeyboard: typing),
      makeIdentifier: {
        made += 1
        return "document-\(made)"
      })
  }

  package static func entry(
    _ identifier: String, ascii: Bool = true, access: Bool = false
  ) -> KeyboardEntry {
    KeyboardEntry(
      identifier: identifier, displayName: identifier, isASCIICapable: ascii,
      hasFullAccess: access)
  }

  package static let layout = KeyboardLayout(rows: [
    "abcdefghijklmnopqrst".map { Key(id: "\($0)", label: "\($0)", insertText: "\($0)") },
    [
      Key(id: "space", label: "space", role: .space, insertText: " "),
      Key(id: "delete", label: "delete", role: .delete),
      Key(id: "next", label: "next", role: .custom),
      Key(id: "hide", label: "hide", role: .dismiss),
    ],
  ])

  // MARK: Inputs

  package func open(
    _ name: String, text: String = "", app: String? = nil, answer: AppAnswer = .notImplemented,
    _ traits: TextInputTraits = TextInputTraits()
  ) {
    feed(.open(DocumentID(name), app: app, answer: answer, traits: traits, text: text))
  }

  package func focus(_ name: String?) { feed(.focus(name.map { DocumentID($0) })) }
  package func type(_ text: String) {
    for character in text { feed(.user(.character("\(character)"))) }
  }
  package func tap(_ key: String) { feed(.user(.event(.tap(key: key)))) }
  package func text(_ name: String) -> String? { core.text(of: DocumentID(name))?.text }

  package func feed(_ input: CoreInput) {
    observeInput?(input)
    perform(core.handle(input, at: now))
  }

  /// Lets time pass, with everything that is due in it, in order.
  package func advance(milliseconds: UInt64) {
    let end = now.adding(milliseconds: milliseconds)
    var ticksInARow = 0
    while true {
      let next = schedule.min { ($0.at, $0.order) < ($1.at, $1.order) }
      let deadline = core.nextDeadline.map { max($0, now) }
      guard let moment = [next?.at, deadline].compactMap({ $0 }).min(), moment <= end else { break }
      let isLater = moment > now
      now = max(now, moment)
      if let next, next.at <= now {
        schedule.removeAll { $0.order == next.order }
        ticksInARow = 0
        deliver(next.input)
      } else {
        // A driver would spin for ever on a deadline that handling it does not move.
        precondition(ticksInARow < 100, "the core's deadline is never met")
        ticksInARow = isLater ? 0 : ticksInARow + 1
        feed(.tick)
      }
    }
    now = end
    feed(.tick)
  }

  /// Lets time pass until nothing waits.
  package func settle(limit: Int = 200) {
    for _ in 0..<limit where core.pendingInputs > 0 || !schedule.isEmpty {
      advance(milliseconds: 50)
    }
  }

  /// The running process of a keyboard; of two the one that was started last.
  package func running(_ keyboard: String) -> InstanceID? {
    living.keys.filter { living[$0] == keyboard }.max { $0.rawValue < $1.rawValue }
  }

  package var hasStopped: Bool { !stopped.isEmpty }

  package func say(_ message: PluginMessage, from keyboard: String) {
    if let id = running(keyboard) { feed(.message(id, message)) }
  }

  // MARK: Effects

  private func later(_ milliseconds: UInt64, _ input: CoreInput) {
    order += 1
    schedule.append((now.adding(milliseconds: milliseconds), order, input))
  }

  private func deliver(_ input: CoreInput) {
    switch input {
    case .message(let id, _), .exited(let id, _), .protocolError(let id, _), .launched(let id):
      // The dead say nothing, and the stopped say it later.
      if living[id] == nil { return }
      if stopped.contains(id) {
        held[id, default: []].append(input)
        return
      }
    default: break
    }
    feed(input)
  }

  /// In order, as the driver does: what an effect leads to is done behind those before it.
  private func perform(_ effects: [CoreEffect]) {
    wanted += effects
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !wanted.isEmpty {
      let effect = wanted.removeFirst()
      observe?(effect)
      switch effect {
      case .audit(let event):
        if auditFails {
          launchesRefused = true
          auditFails = false
          feed(.auditUnavailable(message: "disk full"))
        }
        audits.append(event)
      case .launch(let id, let keyboard, let kind):
        if kind == .incognito { incognitoLaunches.append(id) }
        if !launchesRefused { launch(id, keyboard) }
      case .send(let id, let message):
        sent.append((id, message))
        if living[id] != nil { react(id, message) }
      case .freeze(let id):
        stopped.insert(id)
        if let stopDelay { later(stopDelay, .stopped(id)) }
      case .resume(let id):
        stopped.remove(id)
        for input in held.removeValue(forKey: id) ?? [] { later(0, input) }
      case .kill(let id):
        let hasLived = living.removeValue(forKey: id) != nil
        if hasLived { kills += 1 }
        stopped.remove(id)
        held[id] = nil
        if endDelay == 0 || !hasLived {
          feed(.ended(id))
        } else if let endDelay {
          later(endDelay, .ended(id))
        }
      case .handled(let input): handled.append(input)
      case .edited, .changed, .dropped, .refused: break
      case .present(let presentation): presentations.append(presentation)
      case .dismissed(let id): dismissed.append(id)
      case .format(let id, let command): formats.append((id, command))
      case .click(let id): clicks.append(id)
      case .ask(let id, let revision, let question): asked.append((id, revision, question))
      case .closed(let id, let text): closed.append((id, text))
      case .rejected(let message): rejections.append(message)
      case .serve(let id, let request, let question): served.append((id, request, question))
      case .askUser(let keyboard, let service): questions.append((keyboard, service))
      }
    }
  }

  private func launch(_ id: InstanceID, _ keyboard: String) {
    launches.append(keyboard)
    living[id] = keyboard
    switch start() {
    case .ready(let delay): later(delay, .launched(id))
    case .failLaunch: later(1, .launchFailed(id, message: "no sandbox"))
    case .crash: later(1, .exited(id, description: "exit status 1"))
    case .silence: break
    }
  }

  private func react(_ id: InstanceID, _ message: HostMessage) {
    switch message {
    case .initialize(let request, _):
      later(1, .message(id, .response(id: request, initializeResult)))
    case .event(let request, _, let event):
      let transaction = Self.transaction(for: event)
      let answer = CoreInput.message(
        id, .response(id: request, Self.json { transaction.encode(into: &$0) }))
      switch behaviour(event) {
      case .answer(let delay): later(delay, answer)
      case .answerTwice:
        later(0, answer)
        later(0, answer)
      case .silence: break
      case .crash: later(0, .exited(id, description: "signal 11"))
      case .garbage: later(0, .protocolError(id, ProtocolError(message: "not JSON", excerpt: "x")))
      case .errorAnswer:
        later(0, .message(id, .errorResponse(id: request, code: -32603, message: "oops")))
      case .decline:
        later(
          0, .message(id, .errorResponse(id: request, code: PluginMessage.declined, message: "")))
      case .unknownRequest:
        later(0, .message(id, .response(id: 999_999, Self.json { $0.null() })))
      case .breakEdit:
        let broken = Transaction(edits: [
          .insertText("x"), .setMarkedText("y", selectedRange: 5..<9),
        ])
        later(
          0,
          .message(id, .response(id: request, Self.json { broken.encode(into: &$0) })))
      }
    case .exit: later(0, .exited(id, description: "exit status 0"))
    default: break
    }
  }

  private var initializeResult: JSONValue {
    let result = InitializeResult(
      takesHardwareKeys: takesHardwareKeys, layout: Self.layout)
    return Self.json { result.encode(into: &$0) }
  }

  package static func transaction(for event: InputEvent) -> Transaction {
    switch event {
    case .tap("delete"): Transaction(edits: [.deleteBackward])
    case .tap("next"): Transaction(actions: [.advanceToNextInputMode])
    case .tap("hide"): Transaction(actions: [.dismissKeyboard])
    case .tap(let key):
      Transaction(edits: [.insertText(layout.key(id: key)?.insertText ?? "")])
    case .hardwareKey(let key): Transaction(edits: [.insertText(key.characters)])
    case .suggestion(_, let text): Transaction(edits: [.insertText(text)])
    default: .empty
    }
  }

  package static func json(_ body: (inout JSONWriter) -> Void) -> JSONValue {
    var writer = JSONWriter()
    body(&writer)
    guard let document = try? JSONDocument(parsing: writer.bytes) else {
      preconditionFailure("the writer made no JSON")
    }
    return document.root
  }
}
