import LinuxSystem
import PluginProtocol
import SandboxLaunch

/// One keyboard's process and its descriptors, as the loop sees them. It turns bytes, signals
/// and exits into inputs of the core, and never waits.
final class PluginConnection {
  /// More than this waits for a keyboard only if it does not read.
  static let outboxLimit = 1 << 20
  /// So much is not kept until the turn of the loop ends.
  private static let promptBytes = 1 << 16
  /// Bytes taken from one keyboard before the others have their turn.
  static let readSize = 65_536
  /// How long after the end of its output a process may take to exit, in milliseconds.
  static let exitGrace: UInt64 = 50
  /// How often a process that is being stopped is asked whether it stands, in milliseconds.
  private static let stopInterval: UInt64 = 1
  /// How often a frozen process is asked whether it goes on, in milliseconds.
  private static let frozenInterval: UInt64 = 10
  /// How often a running one is measured, in milliseconds.
  private static let measureInterval: UInt64 = 250
  /// How often its container is, in milliseconds.
  private static let containerInterval: UInt64 = 2_000
  /// How long that may take, in milliseconds. One that has its threads at a folder all the time makes
  /// others wait for the folder, and could keep anything as long as nobody has counted.
  static let countingLimit: UInt64 = 5_000

  private enum Standing { case running, stopping, frozen }

  let id: InstanceID
  let keyboard: String
  let kind: InstanceKind
  let child: SandboxedChild
  unowned let driver: HostDriver
  /// What the network is to it; nil without open access.
  let access: NetworkAccess?
  /// The word that is left of it once it runs.
  var entry: RunningKeyboardEntry?
  /// Connects in the keyboard's place; nil without open access.
  private let broker: ConnectionBroker?
  private var framer = LineFramer()
  private var outbox = Outbox()
  private var tokens: [PollLoop.Token] = []
  private var inputToken: PollLoop.Token?
  private var outputToken: PollLoop.Token?
  private var statusToken: PollLoop.Token?
  private var processToken: PollLoop.Token?
  private var watchedProcess: (descriptor: Int32, process: Int32) = (-1, -1)
  private var standing = Standing.running
  private var outputEndedAt: HostTime?
  private var share = HostShare()
  private var toldViolations = TokenBucket(burst: 100, perSecond: 5)
  private var nextCheck: HostTime?
  private var nextContainerCheck = HostTime.zero
  /// Whether what it kept at its start was asked for.
  private var isStartCounted = false
  /// Since when what it keeps is being counted; nil if it is not.
  private var countingSince: HostTime?
  var debugger: DebuggerState?
  var nextDebuggerLook: HostTime?
  private let printed: PrintedOutput
  var captured: CapturedOutput { printed.captured }
  private(set) var isClosed = false

  init(
    id: InstanceID, keyboard: String, kind: InstanceKind, child: SandboxedChild,
    access: NetworkAccess?, driver: HostDriver
  ) {
    self.id = id
    self.keyboard = keyboard
    self.kind = kind
    self.child = child
    self.driver = driver
    self.access = access
    printed = PrintedOutput(loop: driver.loop)
    broker = access.map {
      ConnectionBroker(
        keyboard: keyboard, client: id.rawValue, access: $0, child: child, host: driver)
    }
    if let broker { child.onConnect = { [unowned broker] in broker.handle($0) } }
  }

  func begin() {
    let loop = driver.loop
    if let status = child.statusDescriptor {
      statusToken = loop.watch(status, for: .input) { [unowned self] _ in advance() }
    }
    watchProcess()
    outputToken = loop.watch(child.outputDescriptor, for: .input) { [unowned self] _ in
      charged { readOutput() }
    }
    printed.begin([child.standardOutputDescriptor, child.standardErrorDescriptor]) {
      [unowned self] descriptor in
      charged { printed.take(from: descriptor, at: driver.now) }
    }
    advance()
  }

  /// Watches for the end of the process that the keyboard is by now: another than the launcher, whose
  /// descriptor is closed, and its number somebody else's.
  private func watchProcess() {
    let descriptor = child.pidDescriptor
    // A descriptor of another process can have the number of the one that was closed.
    guard watchedProcess != (descriptor, child.processIdentifier), !isClosed else { return }
    if let processToken { driver.loop.unwatch(processToken) }
    watchedProcess = (descriptor, child.processIdentifier)
    processToken = driver.loop.watch(descriptor, for: .input) { [unowned self] _ in reap() }
  }

  /// Lets go of every descriptor and ends the process, if it still runs.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for token in tokens + [inputToken, outputToken, statusToken, processToken].compactMap(\.self) {
      driver.loop.unwatch(token)
    }
    if broker != nil, child.finalStatus == nil {
      // What it has written and what has not left this machine does not leave it any more. One that
      // ended by itself is left its own.
      broker?.abort()
      child.dropUnsent()
    }
    broker?.close()
    child.beginEnd()
    printed.end()
  }

  // MARK: Launch

  private func advance() {
    guard let token = statusToken else { return }
    defer { watchProcess() }
    do {
      switch try child.advance() {
      case .pending: return
      case .standing(let report):
        guard !isStartCounted else { return }
        isStartCounted = true
        try driver.count(child.startCheck.run) { [weak self] in self?.start($0, report) }
      case .running:
        driver.loop.unwatch(token)
        statusToken = nil
        watchNotifications()
        nextCheck = driver.now.adding(milliseconds: Self.measureInterval)
        driver.trace(self, .note("runs as process \(child.processIdentifier)"))
        if child.waitsForDebugger { awaitDebugger() }
        driver.feed(.launched(id))
      }
    } catch {
      driver.loop.unwatch(token)
      statusToken = nil
      driver.feed(.launchFailed(id, message: "\(error)"))
    }
  }

  /// Lets the keyboard's own code run, where what it keeps allows it.
  private func start(_ finding: StartCheck.Finding, _ report: EnforcementReport) {
    guard !isClosed else { return }
    if let reason = finding.refusal(of: keyboard) {
      return driver.feed(.launchFailed(id, message: reason))
    }
    // The line of the launch is written before.
    guard driver.recordLaunch(self, report), !isClosed else { return }
    child.note(finding)
    do { try child.proceed() } catch { driver.feed(.launchFailed(id, message: "\(error)")) }
  }

  private func watchNotifications() {
    guard let listener = child.listenerDescriptor else { return }
    tokens.append(
      driver.loop.watch(listener, for: .input) { [unowned self] events in
        if events.contains(.input) { charged { answerNotifications() } }
      })
  }

  func answerNotifications() {
    for violation in child.handleNotifications() {
      // So many lines would wash everything else out of the log.
      guard toldViolations.take(at: driver.now) || violation.isHopeless else {
        return driver.feed(.overstepped(id, reason: "it tried refused calls all the time"))
      }
      driver.violated(self, violation)
      if violation.isHopeless, !isClosed {
        driver.feed(.overstepped(id, reason: "it made a call that ends it: \(tellable(violation))"))
      }
    }
  }

  /// What is told of a violation. An address or a path can be the keyboard's choice, and of an
  /// incognito instance's choices nothing is kept.
  func tellable(_ violation: Violation) -> String {
    kind == .ordinary ? violation.detail : violation.systemCall
  }

  // MARK: Messages

  func send(_ message: HostMessage) {
    guard !isClosed else { return }
    let line = message.encoded()
    driver.trace(self, .toKeyboard(Array(line.dropLast())))
    outbox.append(line)
    if outbox.count > Self.promptBytes {
      flush()
    } else {
      driver.noteUnsent(self)
    }
  }

  /// Gives the kernel what there is to be sent: once in a turn of the loop, before it waits, so that what
  /// was typed is in its text, and with its app, before anybody hears about it.
  func flush() {
    guard !isClosed else { return }
    charged(wakeUp: 0) { writeOut() }
  }

  private func writeOut() {
    do { try outbox.write(to: child.inputDescriptor) } catch {
      outbox.removeAll()
      // It may be about to exit; then that is the reason to tell.
      return noteEnd()
    }
    if outbox.isEmpty {
      if let token = inputToken {
        driver.loop.unwatch(token)
        inputToken = nil
      }
    } else {
      if outbox.count > Self.outboxLimit {
        driver.feed(.unreachable(id, reason: "it stopped reading"))
      } else if inputToken == nil {
        inputToken = driver.loop.watch(child.inputDescriptor, for: .output) { [unowned self] _ in
          charged { flush() }
        }
      }
    }
  }

  /// Takes in what it has said, and whether it stands still, where nobody has looked.
  func hear() {
    if !isClosed, outputToken != nil { charged(wakeUp: 0) { readOutput() } }
    if !isClosed, standing == .stopping { confirmStop() }
  }

  private func readOutput() {
    let bytes: [UInt8]
    do {
      bytes = try FileDescriptor.read(from: child.outputDescriptor, upTo: Self.readSize)
    } catch Errno.wouldBlock {
      return
    } catch {
      return endOutput()
    }
    guard !bytes.isEmpty else { return endOutput() }
    framer.append(bytes)
    takeLines()
  }

  private func takeLines() {
    do throws(ProtocolError) {
      while !isClosed, let line = try framer.next() {
        driver.trace(self, .fromKeyboard(line))
        let message = try PluginMessage.decode(line)
        let isRequest =
          switch message {
          case .transaction, .lexicon, .contacts, .location: true
          case .response, .errorResponse: false
          }
        guard !isRequest || share.takeRequest() else {
          return driver.feed(
            .overstepped(id, reason: "it made over \(HostShare.requestRate) requests in a second"))
        }
        driver.feed(.message(id, message))
        guard isWithinShare() else { return }
      }
    } catch {
      guard !isClosed else { return }
      driver.trace(self, .note("this is not of the protocol: \(error.message): \(error.excerpt)"))
      driver.feed(.protocolError(id, error))
    }
  }

  /// Does what is to be done for the keyboard, and has it pay for the time. What is done for it on the
  /// way is paid for once.
  private func charged(wakeUp: UInt64 = HostShare.wakeUpCost, _ body: () -> Void) {
    guard !share.isCharging else { return body() }
    share.begin(paying: wakeUp, at: driver.now)
    body()
    _ = isWithinShare()
    share.end()
  }

  /// Ends a keyboard that took more than its share.
  private func isWithinShare() -> Bool {
    if share.isWithinTime() || isClosed { return true }
    driver.feed(.overstepped(id, reason: "it kept the host busy"))
    return false
  }

  private func endOutput() {
    if let token = outputToken {
      driver.loop.unwatch(token)
      outputToken = nil
    }
    if framer.hasPartialLine, !isClosed {
      return driver.feed(
        .protocolError(id, ProtocolError(message: "its output ended in the middle of a line")))
    }
    noteEnd()
  }

  private func noteEnd() {
    if outputEndedAt == nil { outputEndedAt = driver.now }
  }

  // MARK: Life

  private func reap() {
    guard !isClosed else { return }
    guard let status = child.reap() else { return watchProcess() }
    // One that ended in the middle of its launch has said why: which layer could not be had.
    advance()
    guard !isClosed else { return }
    // What it said before it went still counts.
    answerNotifications()
    if outputToken != nil { drainOutput() }
    if framer.hasPartialLine, !isClosed { return endOutput() }
    if !isClosed { driver.feed(.exited(id, description: "\(status)")) }
  }

  private func drainOutput() {
    while !isClosed, outputToken != nil,
      let bytes = try? FileDescriptor.read(from: child.outputDescriptor, upTo: Self.readSize),
      !bytes.isEmpty
    {
      framer.append(bytes)
      takeLines()
    }
  }

  func freeze() {
    // What it was told before it was to stop is not said later.
    flush()
    guard !isClosed else { return }
    // A pending notification would keep the process from stopping until it is answered.
    broker?.pause()
    answerNotifications()
    guard !isClosed else { return }
    do {
      for violation in try child.stop() { driver.violated(self, violation) }
      standing = .stopping
      nextCheck = driver.now
    } catch {
      driver.feed(.overstepped(id, reason: "it could not be stopped: \(error)"))
    }
  }

  private func confirmStop() {
    answerNotifications()
    guard !isClosed, standing == .stopping else { return }
    if child.confirmStopped() {
      standing = .frozen
      nextCheck = driver.now.adding(milliseconds: Self.frozenInterval)
      driver.trace(self, .note("stands still"))
      driver.feed(.stopped(id))
    } else {
      nextCheck = driver.now.adding(milliseconds: Self.stopInterval)
    }
  }

  func resume() {
    standing = .running
    nextCheck = driver.now.adding(milliseconds: Self.measureInterval)
    driver.trace(self, .note("goes on"))
    broker?.resume()
    do { try child.resume() } catch {
      driver.feed(.overstepped(id, reason: "it could not be resumed: \(error)"))
    }
  }

  /// When ``check()`` has something to do.
  var deadline: HostTime? {
    var earliest = nextCheck
    func consider(_ time: HostTime?) {
      if let time { earliest = min(earliest ?? time, time) }
    }
    consider(outputEndedAt?.adding(milliseconds: Self.exitGrace))
    consider(broker?.deadline)
    consider(nextDebuggerLook)
    consider(printed.deadline)
    return earliest
  }

  func check() {
    guard !isClosed else { return }
    let now = driver.now
    if let end = outputEndedAt, now >= end.adding(milliseconds: Self.exitGrace) {
      outputEndedAt = nil
      return driver.feed(.unreachable(id, reason: "it closed its end of the conversation"))
    }
    broker?.check()
    printed.resume(at: now)
    if let look = nextDebuggerLook, look <= now, !isClosed { lookForDebugger() }
    guard !isClosed, let due = nextCheck, due <= now else { return }
    switch standing {
    case .stopping: confirmStop()
    case .frozen:
      nextCheck = now.adding(milliseconds: Self.frozenInterval)
      if child.hasWoken() { driver.feed(.continuedWhileFrozen(id)) }
    case .running:
      nextCheck = now.adding(milliseconds: Self.measureInterval)
      if let excess = child.memoryExcess() {
        return driver.feed(.overstepped(id, reason: excess))
      }
      if let began = countingSince, now.milliseconds(since: began) > Self.countingLimit {
        return driver.feed(.overstepped(id, reason: StorageCheck.takesTooLong))
      }
      if nextContainerCheck <= now, countingSince == nil {
        nextContainerCheck = now.adding(milliseconds: Self.containerInterval)
        countingSince = now
        countStorage()
      }
    }
  }

  private func countStorage() {
    let check = child.storageCheck(beside: driver.children)
    do throws(Errno) {
      try driver.count(check.all) { [weak self] in self?.counted($0) }
    } catch {
      driver.feed(.overstepped(id, reason: "what it keeps cannot be counted: \(error)"))
    }
  }

  /// Takes what was counted of it, which began earlier.
  private func counted(_ finding: StorageCheck.Finding) {
    countingSince = nil
    guard !isClosed, let excess = child.take(finding) else { return }
    driver.feed(.overstepped(id, reason: excess))
  }
}
