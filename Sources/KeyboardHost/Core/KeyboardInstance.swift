import PluginProtocol
import TextInput

/// One running process of a keyboard and the conversation with it.
final class KeyboardInstance {
  enum Phase: Equatable {
    case launching
    case initializing(request: Int64)
    case ready(since: HostTime)
    /// It was asked to end and has until then to do so.
    case ending(until: HostTime)
  }

  enum Freeze: Equatable {
    case running
    /// The signal is sent, the process may still run.
    case stopping(until: HostTime)
    case frozen
  }

  /// The event the keyboard is handling.
  struct InFlight {
    var request: Int64
    var document: DocumentID
    var queued: QueuedInput
    var event: InputEvent
    var revision: UInt64
    var sentAt: HostTime
    /// Whether it is sent for the second time, because the first answer was stale.
    var isSecondTry: Bool
    /// Whether the system keyboard has handled it meanwhile: the answer will be dropped.
    var isHandled = false
  }

  /// What the keyboard has not been told about its document yet.
  struct PendingChange {
    var cause: ChangeCause
    var textChanged: Bool
    var selectionChanged: Bool
    var traitsChanged: Bool
  }

  /// What makes an instance one that forgets.
  struct Incognito {
    /// The document for whose focus it was started.
    var document: DocumentID
    /// The random name under which it knows the document: another than the ordinary instance's, and
    /// another each time.
    var documentName: String
  }

  /// A question to a service.
  struct PendingQuestion {
    var question: ServiceQuestion
    /// When it is answered that there is no answer; nil while the user is being asked.
    var deadline: HostTime?
  }

  let id: InstanceID
  let entry: KeyboardEntry
  /// Nil for the ordinary instance.
  let incognito: Incognito?
  var phase = Phase.launching
  var freeze = Freeze.running
  /// When the start must be over.
  var startDeadline: HostTime
  /// Whether it waits for a debugger or has one, so that its clocks stand still.
  var isHeld: Bool
  var layout: KeyboardLayout?
  var suggestions: [String] = []
  var takesHardwareKeys = false
  var inFlight: InFlight?
  /// Requests whose answers will be dropped when they come.
  var abandoned: Set<Int64> = []
  /// The document the keyboard believes to have focus.
  var toldDocument: DocumentID? {
    didSet { if toldDocument != nil { hasSeenText = true } }
  }
  /// Whether the document it believes to have focus was closed while it could not be told.
  var owesBlur = false
  /// Whether it was ever told of a field, and so may repeat its text.
  private(set) var hasSeenText = false
  var pendingChange: PendingChange?
  /// Settings that changed while the keyboard was not ready to hear.
  var pendingSettings: [Setting]?
  /// Replies to requests that came while the keyboard was frozen.
  var heldReplies: [HostMessage] = []
  /// Its questions to services that are not answered, by the request's id.
  var questions: [Int64: PendingQuestion] = [:]
  /// Answers to them that came while the keyboard was frozen.
  var heldAnswers: [(request: Int64, answer: ServiceAnswer)] = []
  /// So that it is not told of by lines without end.
  var answersLeft = TokenBucket(burst: 64, perSecond: 1)
  /// Bytes that it may put into texts unasked: whoever reads what happens to a text must be able to follow.
  var unaskedEdits = WorkCredit(burst: 256 << 10, perSecond: 64 << 10, now: .zero)
  private var lastRequest: Int64 = 0

  init(
    id: InstanceID, entry: KeyboardEntry, incognito: Incognito? = nil, startDeadline: HostTime
  ) {
    self.id = id
    self.entry = entry
    self.incognito = incognito
    self.startDeadline = startDeadline
    isHeld = entry.isDebugged && incognito == nil
  }

  var kind: InstanceKind { incognito == nil ? .ordinary : .incognito }

  /// Whether the user's grant of open access holds for this process.
  var hasFullAccess: Bool { incognito == nil && entry.hasFullAccess }

  var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  var isEnding: Bool {
    if case .ending = phase { true } else { false }
  }

  /// Whether messages may be sent: it is ready and not frozen.
  var isListening: Bool { isReady && freeze == .running }

  func nextRequest() -> Int64 {
    lastRequest += 1
    return lastRequest
  }

  func note(_ change: PendingChange) {
    guard var pending = pendingChange else {
      pendingChange = change
      return
    }
    // A change that somebody else made must not hide behind the keyboard's own.
    if change.cause != .keyboard { pending.cause = change.cause }
    pending.textChanged = pending.textChanged || change.textChanged
    pending.selectionChanged = pending.selectionChanged || change.selectionChanged
    pending.traitsChanged = pending.traitsChanged || change.traitsChanged
    pendingChange = pending
  }
}
