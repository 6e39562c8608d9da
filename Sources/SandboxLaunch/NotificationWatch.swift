import LinuxSystem
import Seccomp
import TerminalText

/// What the host makes of the calls that are notified: which end the keyboard, and in which words
/// they are told.
struct NotificationWatch {
  /// More notifications than this within a second are a flood, and end the keyboard.
  static let maximumPerSecond = 1_000

  private var secondBegan: UInt64?
  private var count = 0

  /// Counts one more notification.
  ///
  /// - Parameter now: monotonic time in nanoseconds.
  /// - Returns: whether there have been too many.
  mutating func countsAsFlood(now: UInt64) -> Bool {
    if now - (secondBegan ?? 0) >= 1_000_000_000 {
      secondBegan = now
      count = 0
    }
    count += 1
    return count > Self.maximumPerSecond
  }

  /// Calls that a keyboard may try in good faith, because a library did: refused, counted, told.
  private static let refused: Set<String> = [
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg",
    "sendmmsg", "execve", "execveat",
  ]

  /// Calls that open files: the file layers decide, the listener only observes.
  private static let opens: Set<String> = ["open", "openat", "openat2", "creat"]

  enum Verdict: Equatable { case refuse, observe, hopeless }

  static func verdict(_ systemCall: String) -> Verdict {
    if opens.contains(systemCall) { return .observe }
    return refused.contains(systemCall) ? .refuse : .hopeless
  }
}

extension SeccompNotification {
  /// Whether it is the call that turns the launcher into the keyboard.
  var isExecution: Bool { systemCall == "execve" }

  /// The flags of a call that opens a file; nil for other calls, and where they lie in memory.
  private var openFlags: UInt64? {
    switch systemCall {
    case "open": arguments[1]
    case "openat": arguments[2]
    case "creat": 1
    default: nil
    }
  }

  /// The path of an open that asks to write outside `own` places; nil for every other call. For the
  /// telling alone: the path may be another by the time the kernel reads it, and the file layers
  /// decide.
  func foreignWrite(own: [String], isValid: (UInt64) -> Bool) -> String? {
    // The two bits of the access mode: 0 is reading.
    guard let openFlags, openFlags & 3 != 0, let pathArgument,
      let bytes = memory(arguments[pathArgument], 256, isValid)
    else { return nil }
    let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    guard path.hasPrefix("/") || path.split(separator: "/").contains("..") else { return nil }
    if !path.split(separator: "/").contains("..") {
      for place in own where path == place || path.hasPrefix(place + "/") { return nil }
    }
    return VisibleText.escape(path, limit: 200)
  }

  /// The number of the argument that points to a path, for the calls whose path is told.
  private var pathArgument: Int? {
    switch systemCall {
    case "execve", "open", "creat", "chroot": 0
    case "execveat", "openat", "openat2": 1
    default: nil
    }
  }

  /// For people. What pointers point to is read from the keyboard's memory for the telling alone,
  /// and dropped if the keyboard no longer waits in this call.
  func detail(isValid: (UInt64) -> Bool) -> String {
    switch systemCall {
    case "socket", "socketpair":
      return "\(systemCall) family \(SocketNames.family(arguments[0])),"
        + " type \(SocketNames.type(arguments[1]))"
    case "connect", "bind":
      guard let address = memory(arguments[1], Int(min(arguments[2] & 0xffff_ffff, 128)), isValid)
      else { return "\(systemCall) to an address that could not be read" }
      return "\(systemCall) to \(SocketNames.address(address))"
    case "ptrace":
      return "ptrace request \(arguments[0])"
    default:
      guard let pathArgument else { return systemCall }
      guard let bytes = memory(arguments[pathArgument], 256, isValid) else {
        return "\(systemCall) of a path that could not be read"
      }
      let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return "\(systemCall) of \(VisibleText.escape(path, limit: 200))"
    }
  }

  /// Bytes of the keyboard's memory; nil if they are not there, or not its own any more.
  func memory(
    _ address: UInt64, _ count: Int, _ isValid: (UInt64) -> Bool
  ) -> [UInt8]? {
    guard count > 0, pid > 0 else { return nil }
    // A range may end at a page that is not there: read up to the page's end then.
    let rest = MemoryPage.size - Int(address % UInt64(MemoryPage.size))
    let bytes =
      (try? ProcessControl.readMemory(of: pid, at: address, count: count))
      ?? (try? ProcessControl.readMemory(of: pid, at: address, count: min(count, rest)))
    guard isValid(id) else { return nil }
    return bytes
  }
}
