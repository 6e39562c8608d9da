import PluginProtocol
import TextInput

/// The host's state machine: what happens goes in, what is to be done comes out. It does no I/O
/// and reads no clock, so that every fault can be replayed.
///
/// Inputs of a document are handled in the order they were made, each exactly once: by the
/// document's keyboard where the field allows it and the keyboard answers in time, by the
/// system keyboard otherwise. A keyboard has one event at a time.
///
/// Not `Sendable`: it belongs to the loop that drives it.
public final class HostCore {
  public private(set) var configuration: HostConfiguration
  public let deadlines: HostDeadlines
  /// The common words of a language, by its BCP 47 tag, for keyboards that ask for the lexicon.
  package var commonWords: (_ language: String) -> [String] = { _ in [] }
  /// Makes the random names under which keyboards know documents.
  let makeIdentifier: () -> String

  var now = HostTime.zero
  var documents: [DocumentID: HostedDocument] = [:]
  var focused: DocumentID?
  /// In the order of their start.
  var instances: [KeyboardInstance] = []
  var health: [String: KeyboardHealth] = [:]
  /// Launches of instances that forget which came to nothing. They ask for more of the sandbox than
  /// others, and must not take a keyboard away that runs without.
  var incognitoStarts: [String: KeyboardHealth] = [:]
  /// Those that were killed, and are not known to have ended.
  var dying: [InstanceID: DyingInstance] = [:]
  /// Documents with inputs that wait, in the order of their first one.
  var waiting: [DocumentID] = []
  /// Why no keyboard may run, when the audit log cannot be written.
  var auditProblem: String?
  /// What the system keyboard works by, made of the configuration.
  var typing: SystemKeyboardConfiguration
  /// Whether the host is ending, so that nothing is started any more.
  var isShuttingDown = false
  /// Which keyboard was picked for which use of a field, last.
  var rememberedKeyboards = RememberedKeyboards()
  /// Documents whose text may have changed since the driver was told.
  var touched: [HostedDocument] = []
  /// Documents in which something may be composed, in the order in which that began.
  var composing: [HostedDocument] = []
  /// Whether there is a user who can be asked about a service now.
  public var canAskUser = false
  /// What the user was asked about in this run, so that it is asked once.
  var asked: Set<AskedService> = []
  /// Late answers dropped since the start.
  public internal(set) var lateAnswers = 0
  /// Stale answers dropped since the start.
  public internal(set) var staleAnswers = 0

  private var effects: [CoreEffect] = []
  private var openedDocuments = 0
  private var lastInstance: UInt64 = 0
  private var presented: Presentation?

  public init(
    configuration: HostConfiguration, deadlines: HostDeadlines = HostDeadlines(),
    makeIdentifier: @escaping () -> String = HostCore.randomIdentifier
  ) {
    self.configuration = configuration
    typing = Self.typing(of: configuration)
    self.deadlines = deadlines
    self.makeIdentifier = makeIdentifier
  }

  /// 128 random bits in hexadecimal.
  public static func randomIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let text = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }

  /// Takes in what happened and returns what is to be done, in order.
  public func handle(_ input: CoreInput, at time: HostTime) -> [CoreEffect] {
    now = max(now, time)
    // A keyboard that has said something is not judged before that is known, nor is another one whose
    // words are read next.
    if case .message = input {} else { expireDeadlines() }
    dispatch(input)
    settle()
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  private func dispatch(_ input: CoreInput) {
    switch input {
    case .open(let id, let app, let answer, let traits, let text):
      open(id, app: app, answer: answer, traits: traits, text: text)
    case .close(let id): close(id)
    case .inputContext(let id, let name): setInputContext(name, of: id)
    case .focus(let id): focus(id)
    case .user(let input): enqueue(input, ticket: nil)
    case .ticketed(let input, let ticket): enqueue(input, ticket: ticket)
    case .traits(let id, let traits): change(traits, of: id)
    case .appEdit(let id, let edit): apply(edit, to: id)
    case .appAnswer(let app, let answer): change(answer, of: app)
    case .wordAnswer(let id, let revision, let answer): take(answer, for: id, revision)
    case .answer(let id, let answer): change(answer, of: id)
    case .inputView(let id, let isOwn): changeInputView(of: id, isOwn)
    case .userDecided(let keyboard, let service): resolve(service, of: keyboard)
    case .configuration(let new): adopt(new)
    case .auditUnavailable(let message): auditFailed(message)
    case .shutDown: shutDown()
    case .tick: break
    case .ended(let id): confirmEnd(id)
    case .serviceAnswer(let id, let request, let answer):
      with(id) { take(answer, for: request, of: $0) }
    case .launched, .launchFailed, .message, .protocolError, .unreachable, .exited, .stopped,
      .continuedWhileFrozen, .overstepped, .debugger:
      dispatchInstance(input)
    }
  }

  private func dispatchInstance(_ input: CoreInput) {
    switch input {
    case .launched(let id): with(id) { launched($0) }
    case .launchFailed(let id, let message):
      with(id) { fail($0, .launchFailed(message), audit: .launchFailed) }
    case .message(let id, let message): with(id) { receive(message, from: $0) }
    case .protocolError(let id, let error): with(id) { breach($0, error) }
    case .unreachable(let id, let reason), .overstepped(let id, let reason):
      with(id) { fail($0, .died(reason), audit: .exit) }
    case .exited(let id, let description):
      with(id) { instance in
        if instance.isEnding {
          end(instance, reason: .shutDown)
        } else {
          fail(instance, .died(description), audit: .exit)
        }
      }
    case .stopped(let id): with(id) { confirmStop($0) }
    case .debugger(let id, let isAttached): with(id) { hold($0, isAttached) }
    case .continuedWhileFrozen(let id):
      with(id) { instance in
        guard instance.freeze == .frozen else { return }
        fail(instance, .died("it woke while it was frozen"), audit: .violation)
      }
    default: break
    }
  }

  /// What a process that is no longer known says is dropped: its successor must not be blamed.
  private func with(_ id: InstanceID, _ body: (KeyboardInstance) -> Void) {
    if let instance = instance(id) { body(instance) }
  }

  // MARK: State for drivers

  /// When ``handle(_:at:)`` has to be called with a tick, if nothing happens before.
  public var nextDeadline: HostTime? {
    var earliest: HostTime?
    func consider(_ time: HostTime) { earliest = min(earliest ?? time, time) }
    for instance in instances {
      if let deadline = instance.deadline(deadlines) { consider(deadline) }
    }
    for instance in dying.values where instance.patienceEnds > now {
      consider(instance.patienceEnds)
    }
    if let document = wantedDocument, let wanted = keyboard(of: document)?.identifier,
      instance(serving: document) == nil
    {
      // What is over already was handled when it was.
      for record in [health[wanted], incognitoStarts[wanted]] {
        if let notBefore = record?.notBefore, notBefore > now { consider(notBefore) }
      }
    }
    return earliest
  }

  /// How many times a keyboard has failed, one time after the other, before it is started now.
  func failures(of keyboard: String) -> Int { health[keyboard]?.consecutive ?? 0 }

  /// Whether a keyboard is started now because it was ended for a field that refuses it.
  func followsFocus(_ keyboard: String) -> Bool { health[keyboard]?.isEndedByFocus ?? false }

  /// Whether a process is wanted still. What ends one may be an effect that is not performed yet.
  func runs(_ id: InstanceID) -> Bool { instance(id) != nil }

  /// Inputs that were taken in and are not handled yet. A driver stops reading its source when
  /// there are many.
  public var pendingInputs: Int {
    waiting.reduce(0) { $0 + (documents[$1]?.queue.count ?? 0) }
      + instances.count { $0.inFlight.map { !$0.isHandled } ?? false }
  }

  /// The text of an open document.
  public func text(of id: DocumentID) -> TextDocument? { documents[id]?.text }

  /// Inputs of a document that were taken in and are not handled yet.
  public func pendingInputs(of id: DocumentID) -> Int {
    guard let document = documents[id] else { return 0 }
    return document.queue.count + (document.busyInstance == nil ? 0 : 1)
  }

  /// The open documents in the order they were opened.
  public var openDocuments: [DocumentID] {
    documents.values.sorted { $0.ordinal < $1.ordinal }.map(\.id)
  }

  // MARK: Shared by the parts

  func emit(_ effect: CoreEffect) { effects.append(effect) }

  func audit(
    _ kind: AuditKind, keyboard: String? = nil, app: String? = nil, _ fields: [AuditField] = []
  ) {
    emit(.audit(AuditEvent(kind, keyboard: keyboard, app: app, fields)))
  }

  func instance(_ id: InstanceID) -> KeyboardInstance? { instances.first { $0.id == id } }

  func newInstanceID() -> InstanceID {
    lastInstance += 1
    return InstanceID(rawValue: lastInstance)
  }

  func newOrdinal() -> Int {
    openedDocuments += 1
    return openedDocuments
  }

  func setConfiguration(_ new: HostConfiguration) {
    configuration = new
    typing = Self.typing(of: new)
    for document in documents.values {
      document.systemKeyboard.configuration = typing
      document.choice = nil
    }
  }

  private static func typing(of configuration: HostConfiguration) -> SystemKeyboardConfiguration {
    SystemKeyboardConfiguration(
      settings: configuration.systemKeyboard, language: configuration.language,
      lexicon: configuration.lexicon)
  }

  /// Brings everything that follows from the state up to date: queues, what keyboards were
  /// told, what is shown.
  private func settle() {
    endStrays()
    pump()
    endStrays()
    startWantedKeyboard()
    tellInstances()
    commitLeftBehind()
    for document in touched where document.text.revision != document.reportedRevision {
      document.reportedRevision = document.text.revision
      emit(.changed(document.id))
    }
    touched.removeAll(keepingCapacity: true)
    if let focused, let document = documents[focused] {
      let current = presentation(of: document)
      if current != presented {
        presented = current
        emit(.present(current))
      }
      askAboutWord(of: document)
    } else {
      presented = nil
    }
  }

  var shownLayout: KeyboardLayout? { presented?.layout }
  /// Whether a keyboard, nil being the system keyboard, is what is shown for a document.
  func isShown(_ keyboard: String?, for document: DocumentID) -> Bool {
    presented.map { $0.document == document && $0.keyboard == keyboard } ?? false
  }
  var isSystemKeyboardShown: Bool { presented.map { $0.keyboard == nil } ?? false }
}
