import ClassicBPF
import LinuxSystem
import Seccomp

/// One keyboard in its sandbox, from the start of the launcher to the end of the process.
///
/// It never waits: its owner polls the descriptors. It must be used from one thread, which must
/// live as long as the keyboard, because the kernel kills the keyboard when that thread ends
/// (`PR_SET_PDEATHSIG` follows the thread). Letting go of it kills the keyboard.
public final class SandboxedChild {
  /// The keyboard's process. While launching it may still be the launcher's.
  public private(set) var processIdentifier: Int32
  /// Takes over the keyboard's calls of `connect(2)`, each of which it must answer by
  /// ``complete(_:with:)`` or ``refuse(_:_:)``; without it they are refused, as violations. Set it
  /// for a keyboard with open access, before ``handleNotifications()``.
  public var onConnect: ((ConnectRequest) -> Void)?
  /// What has been found out about the keyboard's end.
  public private(set) var finalStatus: ProcessStatus?

  let request: LaunchRequest
  var launcher: ProcessHandle?
  var keyboard: ProcessHandle?
  private var input: FileDescriptor?
  private var output: FileDescriptor?
  private var standardOutput: FileDescriptor?
  private var standardError: FileDescriptor?
  var launch: Launch?
  var report: EnforcementReport?
  var listener: SeccompListener?
  /// What there is of the calls that come through the listener, once it runs.
  var calls: WaitingCalls?
  /// What the folders that it may write to held before it ran, in bytes; nil if unknown.
  var storedAtStart: UInt64?
  /// What this keyboard held of its app's shared container when it was last measured, in blocks of 512
  /// bytes: its siblings count it without measuring it again.
  var heldOfShared: UInt64 = 0
  /// Whether it had no memory when it was last measured.
  var hadNoMemory = false
  /// What is known of the calls that come through the listener.
  var watch = NotificationWatch()
  private var memoryFile: FileDescriptor?
  /// True from a confirmed stop to the next `resume()`.
  private var isStopped = false

  /// Descriptors for the child lie above this in the host, so that putting one in its place in the
  /// child never overwrites another.
  static let lowestSource: Int32 = 16

  /// Starts the launcher for a request, and returns at once: `advance()` does the rest.
  ///
  /// - Parameters:
  ///   - request: the keyboard, and what it may have.
  ///   - launcher: the absolute path of `keyhost-launcher`.
  /// - Throws: if the request is wrong, the launcher is not to be trusted, or the host has run out
  ///   of something.
  public static func spawn(
    _ request: LaunchRequest, launcher: String
  ) throws(LaunchError) -> SandboxedChild {
    let plan = try LaunchPlan(request, isRoot: ProcessControl.user == 0)
    let file = try LauncherFile(launcher)
    do {
      return try SandboxedChild(request, plan: plan.encoded(), launcherPath: file.executablePath)
    } catch let error as Errno {
      throw LaunchError(
        layer: nil, step: "starting the launcher \(launcher)", errno: error,
        advice: "See that the system has descriptors, processes and /proc, and try again.")
    } catch let error as LaunchPlanError {
      throw LaunchError(
        layer: nil, step: "writing the launch plan: \(error.message)", errno: nil,
        advice: "Shorten the keyboard's paths or its policy.")
    } catch {
      throw LaunchError(layer: nil, step: "\(error)", errno: nil, advice: "Try again.")
    }
  }

  private init(_ request: LaunchRequest, plan: [UInt8], launcherPath: String) throws {
    self.request = request
    processIdentifier = -1
    let plan = try SealedMemory.create(plan, name: "keyhost-plan")
      .lifted(to: Self.lowestSource)
    let host = try ProcessHandle(ProcessControl.identifier)
      .duplicate(minimum: Self.lowestSource)
    let inputPair = try Self.channel()
    // Nobody would read it.
    try inputPair.endSecondsWriting()
    let outputPair = try Self.channel(holding: Self.outputSize)
    let standardOutputPair = try Self.channel(holding: Self.printedSize)
    let standardErrorPair = try Self.channel(holding: Self.printedSize)
    let statusPipe = try Pipe(minimum: Self.lowestSource)
    try statusPipe.readEnd.setNonBlocking()

    processIdentifier = try ProcessControl.spawn(
      launcherPath, arguments: ["keyhost-launcher"], environment: [],
      descriptors: [
        (inputPair.second.rawValue, LaunchDescriptors.input),
        (standardOutputPair.second.rawValue, LaunchDescriptors.standardOutput),
        (standardErrorPair.second.rawValue, LaunchDescriptors.standardError),
        (outputPair.second.rawValue, LaunchDescriptors.output),
        (plan.rawValue, LaunchDescriptors.plan),
        (statusPipe.writeEnd.rawValue, LaunchDescriptors.status),
        (host.rawValue, LaunchDescriptors.host),
      ])
    // Without a handle nothing can be done with it; it ends by its closed status pipe then.
    launcher = try ProcessHandle(processIdentifier)
    launch = try Launch(status: statusPipe.closeWriteEnd())
    for layer in request.leftOutLayers {
      launch?.states[layer] = .unavailable("left out by the user's choice")
    }
    input = inputPair.closeSecond()
    output = outputPair.closeSecond()
    standardOutput = standardOutputPair.closeSecond()
    standardError = standardErrorPair.closeSecond()
  }

  /// A channel to the keyboard, whose end is the second; the host's is non-blocking.
  /// - Parameter size: how much of what the keyboard writes may wait for the host, in bytes.
  private static func channel(holding size: Int32? = nil) throws(Errno) -> LocalSocketPair {
    let pair = try LocalSocketPair(minimum: lowestSource)
    try pair.first.setNonBlocking()
    try DescriptorPassing.refuse(at: pair.first.rawValue)
    if let size { try pair.limitSecondsWriting(to: size) }
    return pair
  }

  /// As much as a pipe holds.
  private static let outputSize: Int32 = 64 << 10
  /// What the host is slow to read stays in the kernel, and with it whole pages of files.
  private static let printedSize: Int32 = 4 << 10

  deinit {
    if finalStatus == nil { end() } else { launcher?.reapInBackground() }
  }

  // MARK: Descriptors to poll. All are non-blocking, closed on exec, and this object's own.

  /// Readable when the keyboard (or, before there is one, the launcher) has ended.
  public var pidDescriptor: Int32 { keyboard?.rawValue ?? launcher?.rawValue ?? -1 }

  /// Readable when `advance()` has something to do; nil when the keyboard runs.
  public var statusDescriptor: Int32? { launch?.events.rawValue }

  /// The host writes messages here; -1 after `closeInput()`.
  public var inputDescriptor: Int32 { input?.rawValue ?? -1 }

  /// The keyboard's messages (its descriptor 3).
  public var outputDescriptor: Int32 { output?.rawValue ?? -1 }

  /// What it writes to descriptor 1.
  public var standardOutputDescriptor: Int32 { standardOutput?.rawValue ?? -1 }

  /// What it writes to descriptor 2.
  public var standardErrorDescriptor: Int32 { standardError?.rawValue ?? -1 }

  /// Readable when a system call waits for `handleNotifications()`; nil while launching.
  public var listenerDescriptor: Int32? { launch == nil ? calls?.events.rawValue : nil }

  /// Ends the keyboard's input.
  public func closeInput() { input = nil }

  // MARK: The process

  /// Kills the keyboard and everything that came from it. `reap()` tells when it is gone.
  public func kill() {
    // Killing the first process of a process namespace kills all of them; without the namespace
    // the filter has kept it from making any.
    try? keyboard?.send(Signals.kill)
    try? launcher?.send(Signals.kill)
  }

  /// Kills the keyboard as ``kill()`` does, and leaves nothing behind of a launch that is under way:
  /// for that it waits up to 50 ms for the launcher. ``pidDescriptor`` is readable, and ``reap()`` has
  /// an answer, when the kernel has taken everything apart, for which it needs as long as it needs.
  public func beginEnd() {
    guard finalStatus == nil else { return }
    settleHandOver()
    kill()
  }

  /// Has the connections that it holds reset with its end, so that nothing more of what it wrote is
  /// sent. To be followed by ``beginEnd()``: it is stopped for good.
  public func dropUnsent() {
    try? keyboard?.send(Signals.stop)
    keyboard?.dropUnsent(of: processIdentifier)
  }

  /// How the keyboard ended; nil as long as it has not. Never waits.
  public func reap() -> ProcessStatus? {
    reapLauncher()
    if finalStatus == nil, keyboard != nil {
      do {
        if let status = try keyboard?.status(.exited) { finalStatus = status }
      } catch {
        // Somebody else took its status: it is gone, and all that can be said is that.
        if error == .noChildProcess { finalStatus = .signaled(Signals.kill, coreDumped: false) }
      }
    }
    if finalStatus != nil { memoryFile = nil }
    return finalStatus
  }

  /// Takes note of the launcher's own end, when the keyboard is another process.
  func reapLauncher() {
    guard launcher != nil else { return }
    do {
      guard let status = try launcher?.status(.exited) else { return }
      launcher = nil
      // What it said before its end is still in the pipe: it may have a successor.
      if keyboard == nil { _ = try? readStatus() }
      if keyboard == nil { finalStatus = status }
    } catch {
      if error == .noChildProcess { launcher = nil }
    }
  }

  /// Kills, and waits at most 150 ms for the ends. The kernel may need longer to take apart what the
  /// keyboard has made; it is reaped in the background then.
  func end() {
    settleHandOver()
    for _ in 0..<2 {
      kill()
      let descriptor = launcher?.rawValue ?? keyboard?.rawValue ?? -1
      var entries = [PollEntry(descriptor, .input)]
      _ = try? poll(&entries, milliseconds: 50)
      _ = reap()
    }
    if finalStatus == nil { keyboard?.reapInBackground() }
    launcher?.reapInBackground()
  }

  /// A launcher that is killed between making its successor and naming it would leave a child that
  /// nobody knows, so it gets a moment to come to either side of that.
  private func settleHandOver() {
    guard keyboard == nil, launcher != nil, let status = launch?.status.rawValue else { return }
    let deadline = MonotonicClock.nanoseconds + 50_000_000
    while keyboard == nil, launcher != nil, MonotonicClock.nanoseconds < deadline {
      var entries = [PollEntry(launcher?.rawValue ?? -1, .input), PollEntry(status, .input)]
      guard let ready = try? poll(&entries, milliseconds: 10), ready > 0 else { continue }
      if (try? readStatus()) != false { return }
      reapLauncher()
    }
  }

  func becomesKeyboard(_ process: Int32) throws(Errno) {
    keyboard = try ProcessHandle(process)
    processIdentifier = process
  }

  // MARK: Freezing

  /// Stops every thread of the keyboard. Calls that wait for an answer get their refusal first,
  /// because a thread does not stop before it. `confirmStopped()` tells when it is done; until
  /// then the owner goes on polling the listener.
  ///
  /// - Returns: what was refused on the way.
  public func stop() throws(Errno) -> [Violation] {
    let violations = handleNotifications()
    isStopped = false
    try keyboard?.send(Signals.stop)
    return violations
  }

  /// Whether every thread has stopped since `stop()`. Never waits.
  public func confirmStopped() -> Bool {
    if isStopped { return true }
    if let status = try? keyboard?.status(.stopped), case .stopped = status { isStopped = true }
    return isStopped
  }

  /// Whether something has woken the keyboard since its stop was confirmed: nothing but the host
  /// may, so the owner kills it.
  public func hasWoken() -> Bool {
    guard isStopped else { return false }
    if let status = try? keyboard?.status(.continued), status == .continued { return true }
    return false
  }

  /// Lets it run again.
  public func resume() throws(Errno) {
    isStopped = false
    try keyboard?.send(Signals.continue)
    _ = try? keyboard?.status(.continued)
  }

  // MARK: Debugging

  /// Whether it was to stop before its first instruction.
  public var waitsForDebugger: Bool { request.waitsForDebugger }

  /// The process that traces it, 0 if none does; nil when it is gone.
  public func tracer() -> Int32? {
    guard let file = try? FileDescriptor.open("/proc/\(processIdentifier)/status", .read),
      let bytes = try? file.read(upTo: 4096), let text = KeyedLines(bytes)["TracerPid"]
    else { return nil }
    return Int32(text)
  }

  // MARK: Memory

  /// The keyboard's resident memory in bytes; nil when it is gone.
  public func residentMemory() -> Int? { memory()?.resident }

  /// What is mapped, and what of it is resident, in bytes. The kernel tells it of the first thread:
  /// of one that has ended it says that it has no memory, whatever the others do.
  func memory() -> (mapped: Int, resident: Int)? {
    if memoryFile == nil {
      memoryFile = try? FileDescriptor.open("/proc/\(processIdentifier)/statm", .read)
    }
    guard let bytes = try? memoryFile?.readFromStart(upTo: 128) else { return nil }
    // "size resident shared text lib data dt", in pages.
    let pages = bytes.split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      String(validating: $0, as: UTF8.self).flatMap { Int($0) }
    }
    guard pages.count == 2 else { return nil }
    return (pages[0] * MemoryPage.size, pages[1] * MemoryPage.size)
  }
}
