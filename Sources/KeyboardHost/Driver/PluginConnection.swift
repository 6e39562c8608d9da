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
  /// Requests of its own in a second beyond which a keyboard is no keyboard any more. Answers do
  /// not count: the host asked for them.
  static let requestRate = 500
  /// How much of the host's processor time a keyboard may take in a second, in milliseconds: for its
  /// messages, and for what the kernel does when the host reads and writes what the two share, where
  /// the keyboard can have arranged much. Whatever makes one slow to handle, the others and the person
  /// do not wait for it.
  static let processorShare: UInt64 = 300
  /// What it pays each time it wakes the host, in nanoseconds of that share: the waiting itself and the look
  /// at what is due are not measured for each keyboard.
  static let wakeUpCost: UInt64 = 20_000
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
  /// How often it is looked whether a debugger came or went, in milliseconds.
  private static let debuggerInterval: UInt64 = 20

  private enum Standing { case running, stopping, frozen }

  let id: InstanceID
  let keyboard: String
  let kind: InstanceKind
  let child: SandboxedChild
  private unowned let driver: HostDriver
  /// What the network is to it; nil without open access.
  let access: NetworkAccess?
  /// The word that is left of it once it runs.
  var entry: RunningKeyboardEntry?
  /// Connects in the keyboard's place; nil without open access.
  private let broker: ConnectionBroker?
  private var framer = LineFramer()
  private var outbox: [UInt8] = []
  private var outboxStart = 0
  private var tokens: [PollLoop.Token] = []
  private var inputToken: PollLoop.Token?
  private var outputToken: PollLoop.Token?
  private var statusToken: PollLoop.Token?
  private var processToken: PollLoop.Token?
  private var watchedProcess: (descriptor: Int32, process: Int32) = (-1, -1)
  private var standing = Standing.running
  private var outputEndedAt: HostTime?
  private var rateWindow = HostTime.zero
  private var requestCount = 0
  private var processorTime: UInt64 = 0
  /// The processor time at which what is being done for it began, or was last added; nil if nothing is.
  private var chargedUntil: UInt64?
  private var toldViolations = TokenBucket(burst: 100, perSecond: 5)
  private var nextCheck: HostTime?
  private var nextContainerCheck = HostTime.zero
  /// Whether what it kept at its start was asked for.
  private var isStartCounted = false
  /// Since when what it keeps is being counted; nil if it is not.
  private var countingSince: HostTime?
  private var debugger: DebuggerState?
  private var nextDebuggerLook: HostTime?
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
    outbox.append(contentsOf: line)
    if outbox.count - outboxStart > Self.promptBytes {
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
    while outboxStart < outbox.count {
      do {
        outboxStart += try FileDescriptor.write(outbox[outboxStart...], to: child.inputDescriptor)
      } catch Errno.wouldBlock {
        break
      } catch {
        outbox = []
        outboxStart = 0
        // It may be about to exit; then that is the reason to tell.
        noteEnd()
        return
      }
    }
    if outboxStart == outbox.count {
      outbox.removeAll(keepingCapacity: true)
      outboxStart = 0
      if let token = inputToken {
        driver.loop.unwatch(token)
        inputToken = nil
      }
    } else {
      if outbox.count - outboxStart > Self.outboxLimit {
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
        switch message {
        case .transaction, .lexicon, .contacts, .location: requestCount += 1
        case .response, .errorResponse: break
        }
        guard requestCount <= Self.requestRate else {
          return driver.feed(
            .overstepped(id, reason: "it made over \(Self.requestRate) requests in a second"))
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
  private func charged(wakeUp: UInt64 = wakeUpCost, _ body: () -> Void) {
    guard chargedUntil == nil else { return body() }
    beginRateWindow()
    processorTime += wakeUp
    chargedUntil = MonotonicClock.threadNanoseconds
    body()
    _ = isWithinShare()
    chargedUntil = nil
  }

  /// Adds the time since it was last asked, and ends a keyboard that took more than its share.
  private func isWithinShare() -> Bool {
    if let since = chargedUntil {
      let time = MonotonicClock.threadNanoseconds
      processorTime += time - since
      chargedUntil = time
    }
    guard !isClosed, processorTime > Self.processorShare * 1_000_000 else { return true }
    driver.feed(.overstepped(id, reason: "it kept the host busy"))
    return false
  }

  private func beginRateWindow() {
    guard driver.now.milliseconds(since: rateWindow) >= 1_000 else { return }
    rateWindow = driver.now
    requestCount = 0
    processorTime = 0
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

  // MARK: Debugging

  private func awaitDebugger() {
    setDebugger(.awaited)
    nextDebuggerLook = driver.now.adding(milliseconds: Self.debuggerInterval)
  }

  private func lookForDebugger() {
    nextDebuggerLook = driver.now.adding(milliseconds: Self.debuggerInterval)
    guard let tracer = child.tracer() else { return }
    if tracer != 0 {
      guard debugger != .attached(process: tracer) else { return }
      setDebugger(.attached(process: tracer))
      driver.feed(.debugger(id, isAttached: true))
    } else if case .attached = debugger {
      // Its stop was the host's. A debugger that lets go leaves it as it found it.
      do { try child.resume() } catch { return }
      setDebugger(.detached)
      driver.feed(.debugger(id, isAttached: false))
    }
  }

  private func setDebugger(_ state: DebuggerState) {
    debugger = state
    driver.onDebugger(keyboard, child.processIdentifier, state)
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
