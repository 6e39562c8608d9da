import LinuxSystem
import PluginProtocol
import SandboxLaunch

/// Runs the core: does what it asks for, and tells it what happens. One thread, one wait.
///
/// Not `Sendable`. It has to live on one thread that lives as long as the host: the kernel ends
/// the keyboards when the thread that started them ends.
public final class HostDriver {
  public let core: HostCore
  public let loop = PollLoop()
  /// Hears what front ends care about: handled inputs, presentations, rejections and the like.
  public var onEffect: (CoreEffect) -> Void = { _ in }
  /// Hears every event of the audit log as it is written, for a front end that shows them.
  public var onAudit: ((AuditEvent) -> Void)?
  /// Hears what is wrong with the audit log, once.
  public var onAuditFailure: (String) -> Void = { _ in }
  /// Hears of a keyboard that starts with layers of the sandbox that are not in force.
  public var onWeakLaunch: (_ keyboard: String, _ layers: [EnforcementReport.Entry]) -> Void = {
    _, _ in
  }
  /// Hears what a keyboard wrote to its standard output and error, when it ended; of an incognito
  /// instance nothing, since it could be what was typed.
  public var onCapturedOutput: (_ keyboard: String, _ tail: [UInt8], _ total: Int) -> Void = {
    _, _, _ in
  }
  /// Hears of a keyboard that is run under a debugger.
  public var onDebugger: (_ keyboard: String, _ process: Int32, DebuggerState) -> Void = {
    _, _, _ in
  }
  /// Sees every message that is sent to a keyboard, for the measurements.
  package var onMessage: ((_ keyboard: String, _ sent: HostMessage) -> Void)?
  /// Sees what keyboards are told and say, since that moment. Set by ``LocalHost`` alone, which
  /// records it.
  var tracing: (began: UInt64, hear: (TraceEntry) -> Void)?

  /// Looks whether the settings are still those that keyboards are started by, and adopts others.
  /// Called between the word that is left of a keyboard and the first instruction of its own code.
  var beforeStart: () -> Void = {}

  private let starter: any KeyboardStarting
  private let log: AuditLog?
  private var connections: [InstanceID: PluginConnection] = [:]
  /// Those to whom something is to be sent before the next wait.
  private var unsent: [PluginConnection] = []
  /// Those whose process was killed, until the kernel says that it has ended.
  private var ending: [InstanceID: (connection: PluginConnection, token: PollLoop.Token)] = [:]
  /// The keyboards that run, those that are being launched included.
  var children: [SandboxedChild] { connections.values.map(\.child) }
  /// The moment of the last wake-up; a turn of the loop has one time.
  private(set) var now: HostTime
  let clock: HostClock
  private var launchesAreOff = false
  /// Finds out about words; nil where nobody wants to know.
  public var words: WordService?
  /// Answers for contacts and the location; nil where there are none.
  public var services: KeyboardServices?
  /// Looks up names for keyboards with open access, once one has asked.
  private(set) var names: NameService?
  /// Counts what keyboards keep, once one runs.
  private var counting: BackgroundWork?
  private var wanted = Queue<CoreEffect>()
  private var isPerforming = false
  private var isHearing = false
  /// Whether the line about the last answer of a service is in the log: it is given only then.
  private var isAnswerRecorded = true

  /// - Parameter log: nil if it could not be opened; then no keyboard is ever started.
  public convenience init(core: HostCore, starter: any KeyboardStarting, log: AuditLog?) {
    self.init(core: core, starter: starter, log: log, clock: .system)
  }

  package init(
    core: HostCore, starter: any KeyboardStarting, log: AuditLog?, clock: HostClock
  ) {
    self.clock = clock
    now = clock.now()
    self.core = core
    self.starter = starter
    self.log = log
    Signals.ignorePipe()
    if log == nil {
      launchesAreOff = true
      perform(core.handle(.auditUnavailable(message: "the audit log cannot be opened"), at: now))
    }
  }

  deinit { for connection in connections.values { connection.child.kill() } }

  /// Tells the core what happened and does what follows.
  public func feed(_ input: CoreInput) {
    now = clock.now()
    if !isHearing, let due = core.nextDeadline, due <= now { hearKeyboards(before: input) }
    perform(core.handle(input, at: now))
  }

  /// Takes in what keyboards have said, before anybody is judged by what he has not: whatever kept the
  /// host busy is not theirs.
  private func hearKeyboards(before input: CoreInput) {
    // What a keyboard says is no reason to judge anybody.
    if case .message = input { return }
    isHearing = true
    defer { isHearing = false }
    for connection in connections.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      connection.hear()
    }
    now = clock.now()
  }

  /// Waits once, for at most `milliseconds`, and handles what shows.
  public func turn(milliseconds limit: UInt64?) throws(Errno) {
    now = clock.now()
    sendUnsent()
    var wait = limit
    if let deadline = nextDeadline {
      // Rounded up, or the loop would spin through the last millisecond.
      let left =
        deadline.nanoseconds > now.nanoseconds
        ? (deadline.nanoseconds - now.nanoseconds + 999_999) / 1_000_000 : 0
      wait = min(wait ?? left, left)
    }
    try loop.run(milliseconds: wait)
    now = clock.now()
    let due = connections.values.filter { $0.deadline.map { $0 <= now } ?? false }
    for connection in due.sorted(by: { $0.id.rawValue < $1.id.rawValue }) { connection.check() }
    if let due = core.nextDeadline, due <= now { feed(.tick) }
    record { (log) throws(AuditLogError) in try log.writeExpired() }
  }

  func noteUnsent(_ connection: PluginConnection) {
    if !unsent.contains(where: { $0 === connection }) { unsent.append(connection) }
  }

  /// Sends what keyboards are to be told, where something is to be done before the next wait that they
  /// need not wait for.
  func sendUnsent() {
    // One that cannot be written to is ended, which can lead to words for another.
    while !unsent.isEmpty {
      let waiting = unsent
      unsent = []
      for connection in waiting { connection.flush() }
    }
  }

  private var nextDeadline: HostTime? {
    var earliest = core.nextDeadline
    for connection in connections.values {
      if let deadline = connection.deadline { earliest = min(earliest ?? deadline, deadline) }
    }
    if let expiry = log?.nextExpiry {
      let left = max(0, expiry.milliseconds - AuditTime.now().milliseconds)
      let deadline = now.adding(milliseconds: UInt64(left))
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  /// Ends every keyboard, giving each a moment to do so by itself, and writes what is still
  /// counted for the log.
  public func shutDown() {
    feed(.shutDown)
    while !connections.isEmpty, let deadline = core.nextDeadline {
      let left = deadline.milliseconds(since: clock.now())
      guard (try? turn(milliseconds: left + 1)) != nil else { break }
    }
    for connection in connections.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      end(connection)
    }
    record { (log) throws(AuditLogError) in try log.flush() }
  }

  // MARK: Effects

  /// Does what the core wants, in its order: what an effect leads to is done behind the effects
  /// that were wanted before it.
  private func perform(_ effects: [CoreEffect]) {
    for effect in effects { wanted.append(effect) }
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while let effect = wanted.removeFirst() {
      switch effect {
      case .audit(let event):
        let isWritten = audit(event)
        if event.kind == .service { isAnswerRecorded = isWritten }
      case .launch(let id, let keyboard, let kind): launch(id, keyboard, kind)
      case .send(let id, let message):
        let message = isAnswerRecorded ? message : message.withheld
        if let connection = connections[id] {
          onMessage?(connection.keyboard, message)
          connection.send(message)
        }
      case .freeze(let id): connections[id]?.freeze()
      case .resume(let id): connections[id]?.resume()
      case .ask(let document, let revision, let question):
        words?.ask(question) { [unowned self] answer in
          feed(.wordAnswer(document, revision: revision, answer))
        }
      case .serve(let id, let request, let question): serve(question, request, id)
      case .kill(let id):
        if let connection = connections[id] { end(connection) } else { feed(.ended(id)) }
      case .handled, .edited, .changed, .present, .dismissed, .closed, .rejected, .dropped,
        .refused, .format, .click, .askUser:
        onEffect(effect)
      }
    }
  }

  private func serve(_ question: ServiceQuestion, _ request: Int64, _ id: InstanceID) {
    guard let services else {
      return feed(.serviceAnswer(id, request: request, .unavailable("this host has no services")))
    }
    services.ask(question) { [unowned self] answer in
      feed(.serviceAnswer(id, request: request, answer))
    }
  }

  private func launch(_ id: InstanceID, _ keyboard: String, _ kind: InstanceKind) {
    guard !launchesAreOff else { return }
    do {
      let child = try starter.start(keyboard, kind)
      let connection = PluginConnection(
        id: id, keyboard: keyboard, kind: kind, child: child,
        access: kind == .ordinary ? starter.networkAccess(keyboard) : nil, driver: self)
      connections[id] = connection
      connection.begin()
    } catch {
      feed(.launchFailed(id, message: "\(error)"))
    }
  }

  /// Begins to look up names, if that has not begun.
  /// - Returns: whether they are looked up.
  func startNames() -> Bool {
    if names == nil { names = try? NameService(loop: loop) }
    return names != nil
  }

  /// Has something counted that keyboards keep: `found` is called in a later turn of the loop.
  func count<Finding: Sendable>(
    _ count: @escaping @Sendable () -> Finding, found: @escaping (Finding) -> Void
  ) throws(Errno) {
    let work = if let counting { counting } else { try BackgroundWork(loop: loop) }
    counting = work
    try work.submit(count, done: found)
  }

  private func end(_ connection: PluginConnection) {
    connections[connection.id] = nil
    connection.close()
    trace(connection, .note("its process is ended"))
    awaitEnd(of: connection)
    guard connection.kind == .ordinary else { return }
    let captured = connection.captured
    if captured.total > 0 {
      onCapturedOutput(connection.keyboard, captured.tail, captured.total)
    }
  }

  /// Tells the core when nothing is left of a process that was killed, and holds on to the word of it
  /// until then. The kernel can take seconds; nobody waits for it here.
  private func awaitEnd(of connection: PluginConnection) {
    let id = connection.id
    let child = connection.child
    guard child.reap() == nil, child.pidDescriptor >= 0 else { return feed(.ended(id)) }
    // A launcher can have left a successor.
    child.kill()
    let token = loop.watch(child.pidDescriptor, for: .input) { [unowned self] _ in
      guard let (connection, token) = ending.removeValue(forKey: id) else { return }
      loop.unwatch(token)
      awaitEnd(of: connection)
    }
    ending[id] = (connection, token)
  }

  /// The content is only made for one who looks. Of an incognito instance nothing is told.
  func trace(_ connection: PluginConnection, _ content: @autoclosure () -> TraceEntry.Content) {
    guard let tracing, connection.kind == .ordinary else { return }
    tracing.hear(
      TraceEntry(
        microseconds: (MonotonicClock.nanoseconds - tracing.began) / 1_000,
        keyboard: connection.keyboard, instance: connection.id, content: content()))
  }

  // MARK: The audit log

  /// Writes a line. When that fails no keyboard may run any more.
  @discardableResult
  func audit(_ event: AuditEvent) -> Bool {
    onAudit?(event)
    var isWritten = true
    let hasWorked = record { (log) throws(AuditLogError) in isWritten = try log.write(event) }
    return hasWorked && isWritten
  }

  @discardableResult
  private func record(_ body: (AuditLog) throws(AuditLogError) -> Void) -> Bool {
    guard let log, !launchesAreOff else { return false }
    do throws(AuditLogError) {
      try body(log)
      return true
    } catch {
      launchesAreOff = true
      onAuditFailure(error.description)
      feed(.auditUnavailable(message: error.description))
      return false
    }
  }

  /// Writes the line of a launch.
  /// - Returns: whether it is written; if not, this keyboard at least is ended by now.
  func recordLaunch(_ connection: PluginConnection, _ report: EnforcementReport) -> Bool {
    var event = starter.launchEvent(
      connection.keyboard, connection.kind, connection.child, report)
    let failures = core.failures(of: connection.keyboard)
    if failures > 0 {
      guard log?.hasRoom(for: connection.keyboard) != false else {
        feed(
          .launchFailed(
            connection.id,
            message: "it failed, and what is written of it in a day is used up: it is not started "
              + "again today"))
        return false
      }
      event.fields.append(AuditField(AuditEvent.afterFailures, .integer(failures)))
    } else if connection.kind == .ordinary, core.followsFocus(connection.keyboard) {
      event.fields.append(.byFocus)
    }
    let isWritten = audit(event)
    if isWritten {
      do {
        connection.entry = try starter.enter(
          connection.keyboard, connection.child, connection.access)
      } catch {
        feed(
          .launchFailed(
            connection.id,
            message: "no word could be left of it, so that its rights could not be taken away: "
              + "\(error)"))
        return false
      }
      // What was taken away before there was word of it has not been told to anybody who runs.
      beforeStart()
      guard core.runs(connection.id) else { return false }
    }
    let missing = report.layers.filter(\.isMissing)
    if isWritten, !missing.isEmpty { onWeakLaunch(connection.keyboard, missing) }
    return isWritten
  }

  func violated(_ connection: PluginConnection, _ violation: Violation) {
    var fields = [
      AuditField("systemCall", .foreign(violation.systemCall)),
      AuditField("detail", .foreign(connection.tellable(violation))),
      AuditField(
        "outcome",
        violation.isHopeless
          ? .term("killed")
          : violation.isRefused
            ? .term("refused")
            : violation.isBeyondFileRules
              ? .term(AuditEvent.refusedByFileRules) : .term(AuditEvent.decidedByFileRules)
      ),
    ]
    if connection.kind == .incognito { fields.append(.incognito) }
    audit(AuditEvent(.violation, keyboard: connection.keyboard, fields))
  }
}
