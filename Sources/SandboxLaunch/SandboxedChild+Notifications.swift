import Glibc
import LinuxSystem
import Seccomp

extension SandboxedChild {
  /// Whether a keyboard is ended when it makes a call that its filter puts to the host.
  public static func isEnded(byNotified systemCall: String) -> Bool {
    NotificationWatch.isHopeless(systemCall)
  }

  /// Answers every call that waits, and says what was refused. Never waits: where the keyboard's memory
  /// has to be read, that is done in another thread, and the call is answered when it has been.
  ///
  /// Calls that open files are let through, since the file layers decide them; a keyboard that
  /// makes a hopeless call, or floods the host with calls, is killed. Call it whenever
  /// `listenerDescriptor` is readable.
  public func handleNotifications() -> [Violation] {
    var violations: [Violation] = []
    guard report != nil, let calls else { return violations }
    let read = calls.takeRead()
    var isIdle = read.isEmpty
    for (notification, memory) in read {
      // What was read after the call had ended can be anything.
      let isCurrent = listener?.isValid(notification.id) ?? false
      conclude(notification, isCurrent ? memory : nil, &violations)
    }
    // A keyboard with many threads could keep this loop busy; what is left is readable still.
    for _ in 0..<64 {
      guard let notification = try? listener?.receive() else { break }
      isIdle = false
      if watch.countsAsFlood(now: MonotonicClock.nanoseconds) {
        violations.append(
          violation(
            notification,
            "more than \(NotificationWatch.maximumPerSecond) calls in a second, the"
              + " last one \(notification.systemCall)", isHopeless: true))
        kill()
        answer(notification, .error(Errno.permissionDenied.rawValue))
        break
      }
      if notification.wantedMemory == nil || !calls.read(notification) {
        conclude(notification, nil, &violations)
      }
    }
    if isIdle { calls.leaveOutIfEnded() }
    return violations
  }

  /// Judges a call, answers it, and tells of it.
  private func conclude(
    _ notification: SeccompNotification, _ memory: [UInt8]?, _ violations: inout [Violation]
  ) {
    if notification.systemCall == "connect", let onConnect {
      return onConnect(connectRequest(notification, memory))
    }
    switch NotificationWatch.verdict(notification) {
    case .observe:
      if let told = observed(notification, memory) { violations.append(told) }
      answer(notification, .continue)
    case .refuse:
      violations.append(violation(notification, detail(notification, memory), isHopeless: false))
      answer(notification, .error(Errno.permissionDenied.rawValue))
    case .hopeless:
      violations.append(violation(notification, detail(notification, memory), isHopeless: true))
      // Killed before it is answered: it must not get to see the answer.
      kill()
      answer(notification, .error(Errno.notPermitted.rawValue))
    }
  }

  /// An open for writing goes on, to be decided by Landlock and the private root. It is told when
  /// it is of a place where a keyboard has nothing to write.
  private func observed(_ notification: SeccompNotification, _ memory: [UInt8]?) -> Violation? {
    guard let flags = notification.openFlags, flags & O_ACCMODE != O_RDONLY, let memory else {
      return nil
    }
    let path = SeccompNotification.path(memory)
    // By bytes, as the kernel does: the keyboard chooses the letters, and some join a slash to
    // themselves among characters.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    if !parts.contains(where: { $0.elementsEqual("..".utf8) }) {
      // What begins nowhere begins in its own folder.
      if path.utf8.first != UInt8(ascii: "/") { return nil }
      for place in request.writablePlaces where path == place || path.hasPrefix(place + "/") {
        return nil
      }
    }
    return Violation(
      systemCall: notification.systemCall, arguments: notification.arguments,
      detail: detail(notification, memory), isHopeless: false, isRefused: false,
      isBeyondFileRules: areFileLayersInForce && Self.isPlain(path), thread: notification.pid)
  }

  /// Whether no file is to be had but those of the profile.
  private var areFileLayersInForce: Bool {
    report?[.privateRoot] == .enforced && report?[.landlock] == .enforced
  }

  /// Whether a path means what it looks like: a whole one from the root, that does not go back.
  private static func isPlain(_ path: String) -> Bool {
    // One as long as what is read of it may go on.
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < 255 else { return false }
    return path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }

  private func detail(_ notification: SeccompNotification, _ memory: [UInt8]?) -> String {
    notification.detail(bundle: request.bundlePath, memory: memory)
  }

  /// A caller that is gone needs no answer.
  private func answer(_ notification: SeccompNotification, _ response: SeccompListener.Response) {
    _ = try? listener?.respond(to: notification.id, response)
  }

  private func violation(
    _ notification: SeccompNotification, _ detail: String, isHopeless: Bool
  ) -> Violation {
    Violation(
      systemCall: notification.systemCall, arguments: notification.arguments, detail: detail,
      isHopeless: isHopeless, isRefused: true, thread: notification.pid)
  }
}
