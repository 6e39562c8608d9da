import LinuxSystem
import Seccomp

/// What there is of a launch until the keyboard runs.
struct Launch: ~Copyable {
  let status: FileDescriptor
  /// Status pipe, timer and listener behind one descriptor, so that the owner's loop needs no
  /// timer of its own.
  let events: EventSet
  /// Runs while the listener is awaited: the launcher cannot say that the filter is loaded, since
  /// nothing but the exec may happen after it.
  let timer: Timer
  var buffer: [UInt8] = []
  var states: [SandboxLayer: LayerState] = [:]
  var failure: LaunchError?
  /// What the launcher said before it loaded the filter.
  var ready: (listener: Int32, landlockABI: Int32)?
  /// The launcher's execve, which waits for an answer.
  var execution: UInt64?
  var hasExecuted = false

  static let retryNanoseconds: UInt64 = 200_000

  init(status: consuming FileDescriptor) throws(Errno) {
    let events = try EventSet()
    let timer = try Timer()
    try events.add(status.rawValue)
    try events.add(timer.rawValue)
    self.events = events
    self.timer = timer
    self.status = status
  }
}

extension SandboxedChild {
  /// Takes a launch as far as it goes without waiting. To be called whenever `statusDescriptor` is
  /// readable, and after a deadline of the owner's to see what is missing.
  ///
  /// - Throws: if the keyboard cannot be started; it is gone then, and reaped.
  public func advance() throws(LaunchError) -> LaunchProgress {
    if let report { return .running(report) }
    guard launch != nil else { throw lost("the launch had failed before", nil) }
    do {
      launch?.timer.acknowledge()
      let ended = try readStatus()
      if listener == nil { try takeListener() }
      try receiveExecution()
      if launch?.execution != nil { return .standing(try checkedReport()) }
      guard ended else { return .pending }
    } catch {
      throw abandon(error)
    }
    return try finish()
  }

  /// Lets the keyboard's program start, once `advance()` has said that its sandbox stands. What
  /// must be done before any of its code runs, such as recording the launch, is done by then.
  ///
  /// - Throws: if the keyboard cannot be started; it is gone then, and reaped.
  public func proceed() throws(LaunchError) {
    guard let execution = launch?.execution else { return }
    launch?.execution = nil
    launch?.hasExecuted = true
    do {
      let isKillableOnly = launch?.states[.seccomp] == .enforced
      if request.waitsForDebugger, isKillableOnly { try keyboard?.send(Signals.stop) }
      try listener?.respond(to: execution, .continue)
      // Before Linux 5.19 a stop would interrupt the call that waits; sent now it comes while the
      // program is loaded, or soon after.
      if request.waitsForDebugger, !isKillableOnly { try keyboard?.send(Signals.stop) }
    } catch {
      throw abandon(lost("letting the program start: \(error)", nil))
    }
  }

  /// The status pipe has ended: either the program has taken the launcher's place or nothing has.
  private func finish() throws(LaunchError) -> LaunchProgress {
    if let failure = launch?.failure { throw abandon(failure) }
    guard let ready = launch?.ready else { throw abandon(lost("the launcher ended early", nil)) }
    if ready.listener >= 0, launch?.hasExecuted != true {
      throw abandon(lost("the launcher ended before it started the program", nil))
    }
    let report: EnforcementReport
    do { report = try checkedReport() } catch { throw abandon(error) }
    if let descriptor = listener?.descriptor {
      do { calls = try WaitingCalls(listener: descriptor) } catch {
        throw abandon(lost("listening for notifications", error))
      }
    }
    self.report = report
    launch = nil
    reapLauncher()
    return .running(report)
  }

  /// What the launcher said of each layer, if it is enough.
  private func checkedReport() throws(LaunchError) -> EnforcementReport {
    let report = EnforcementReport(
      states: launch?.states ?? [:], landlockABI: Int(launch?.ready?.landlockABI ?? 0))
    for entry in report.layers {
      if case .unavailable = entry.state, SandboxLayer.required.contains(entry.layer),
        !request.allowWeaker.contains(entry.layer), !request.omittedLayers.contains(entry.layer)
      {
        // The launcher stops by itself; this is for a launcher that does not.
        throw LaunchError(
          layer: entry.layer, step: "\(entry.state)", errno: nil,
          advice: LaunchAdvice.text(entry.layer))
      }
    }
    return report
  }

  /// - Returns: whether the pipe has ended.
  func readStatus() throws(LaunchError) -> Bool {
    while true {
      let bytes: [UInt8]
      do {
        bytes = try launch?.status.read(upTo: 4096) ?? []
      } catch {
        if error == .wouldBlock { return false }
        throw lost("reading the launcher's status", error)
      }
      if bytes.isEmpty { return true }
      launch?.buffer += bytes
      do {
        while let message = try takeMessage() { try take(message) }
      } catch let error as LaunchPlanError {
        throw lost("the launcher's status is damaged: \(error)", nil)
      } catch let error as LaunchError {
        throw error
      } catch {
        throw lost("\(error)", nil)
      }
    }
  }

  private func takeMessage() throws(LaunchPlanError) -> LaunchStatus? {
    guard var buffer = launch?.buffer else { return nil }
    let message = try LaunchStatus.take(from: &buffer)
    launch?.buffer = buffer
    return message
  }

  private func take(_ message: LaunchStatus) throws(LaunchError) {
    switch message {
    case .process(let process):
      do { try becomesKeyboard(process) } catch {
        throw lost("watching process \(process)", error)
      }
    case .layer(let layer, let state):
      launch?.states[layer] = state
    case .failure(let layer, let step, let errno):
      launch?.failure = LaunchError(
        layer: layer, step: step, errno: errno == 0 ? nil : Errno(rawValue: errno),
        advice: LaunchAdvice.text(layer))
    case .ready(let listener, let abi):
      launch?.ready = (listener, abi)
      guard listener >= 0 else { return }
      do {
        try launch?.timer.repeatEvery(nanoseconds: Launch.retryNanoseconds)
      } catch {
        throw lost("setting a timer", error)
      }
    }
  }

  /// Fetches the listener out of the launcher as soon as the filter is loaded.
  private func takeListener() throws(LaunchError) {
    guard let number = launch?.ready?.listener, number >= 0, launch?.failure == nil else { return }
    let taken: FileDescriptor?
    do {
      taken = try keyboard?.takeDescriptor(number)
    } catch {
      // Not there yet; or the launcher is gone, which the status pipe tells better.
      if error == .badFileDescriptor || error == .noSuchProcess { return }
      throw LaunchError(
        layer: .seccomp, step: "taking the notification listener from the launcher", errno: error,
        advice: LaunchAdvice.text(.seccomp))
    }
    guard let taken else { return }
    let kind = RealPath.link(at: "/proc/self/fd/\(taken.rawValue)") ?? "unknown"
    guard kind == "anon_inode:seccomp notify" else {
      throw LaunchError(
        layer: .seccomp, step: "descriptor \(number) of the launcher is no listener (\(kind))",
        errno: nil, advice: LaunchAdvice.text(.seccomp))
    }
    do {
      try launch?.events.add(taken.rawValue)
      try launch?.timer.repeatEvery(nanoseconds: 0)
    } catch {
      throw lost("listening for notifications", error)
    }
    do {
      listener = try SeccompListener(descriptor: taken.release())
    } catch {
      throw lost("listening for notifications: \(error)", nil)
    }
  }

  /// Takes the launcher's own execve, the only one that will ever be let through.
  private func receiveExecution() throws(LaunchError) {
    guard launch?.hasExecuted == false, launch?.execution == nil, listener != nil else { return }
    do {
      guard let notification = try listener?.receive() else { return }
      guard notification.isExecution, notification.pid == processIdentifier else {
        throw LaunchError(
          layer: .seccomp,
          step: "the launcher called \(notification.systemCall) before its execve", errno: nil,
          advice: "Install Keyhost again.")
      }
      launch?.execution = notification.id
    } catch let error as LaunchError {
      throw error
    } catch {
      throw lost("letting the program start: \(error)", nil)
    }
  }

  private func lost(_ step: String, _ errno: Errno?) -> LaunchError {
    LaunchError(layer: nil, step: step, errno: errno, advice: LaunchAdvice.text(nil))
  }

  /// Leaves nothing behind, and makes the error say how the launcher ended where that is all
  /// there is.
  private func abandon(_ error: LaunchError) -> LaunchError {
    end()
    launch = nil
    guard error.layer == nil, error.errno == nil, let status = finalStatus else { return error }
    return LaunchError(
      layer: nil, step: "\(error.step) (the launcher \(status))", errno: nil, advice: error.advice)
  }
}

/// What to do when a layer fails.
enum LaunchAdvice {
  static func text(_ layer: SandboxLayer?) -> String {
    switch layer {
    case .userNamespace, .privateRoot, .networkNamespace, .processNamespace:
      "Allow user namespaces for this user (`keyhost doctor` names the setting), or accept less"
        + " for one run with `keyhost type --allow-weaker \(layer?.rawValue ?? "")`."
    case .landlock:
      "Boot a kernel with Landlock (5.19 or newer, `lsm=` naming landlock), or accept less"
        + " for one run with `keyhost type --allow-weaker landlock`."
    case .seccomp:
      "Boot a kernel with seccomp filters and notifications (5.9 or newer), and see"
        + " `keyhost doctor`."
    case .identity:
      "Install the keyboard again, so that it gets a user id of its own."
    case .noNewPrivileges:
      "See `keyhost doctor`."
    case let layer?:
      "See `keyhost doctor`; accept less for one run with"
        + " `keyhost type --allow-weaker \(layer.rawValue)`."
    case nil:
      "See `keyhost doctor`, and install the keyboard again if its program is damaged."
    }
  }
}
