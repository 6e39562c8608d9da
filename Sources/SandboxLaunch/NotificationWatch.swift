import Glibc
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

  enum Verdict: Equatable { case refuse, observe, hopeless }

  /// The verdict on a call. A path is a pointer, which another thread can change after it was
  /// read, so opens are left to the file layers; what is in a register cannot change.
  static func verdict(_ notification: SeccompNotification) -> Verdict {
    if let flags = notification.openFlags {
      return isLandlocksToJudge(flags) ? .observe : .refuse
    }
    return refused.contains(notification.systemCall) ? .refuse : .hopeless
  }

  /// Whether a call of this name is one that nobody makes in good faith.
  static func isHopeless(_ name: String) -> Bool {
    !refused.contains(name) && !["open", "openat"].contains(name)
  }

  /// Whether Landlock decides such an open by what it allows to do: access mode 3 gives a
  /// descriptor for ioctl alone, and before ABI 3 nobody asks about O_TRUNC without write access.
  private static func isLandlocksToJudge(_ flags: Int32) -> Bool {
    switch flags & O_ACCMODE {
    case O_WRONLY, O_RDWR: true
    case O_RDONLY: flags & O_TRUNC == 0
    default: false
    }
  }
}

extension SeccompNotification {
  /// Whether it is the call that turns the launcher into the keyboard.
  var isExecution: Bool { systemCall == "execve" }

  /// The flags of a call that opens a file, of which the kernel reads 32 bits.
  var openFlags: Int32? {
    switch systemCall {
    case "open": Int32(truncatingIfNeeded: arguments[1])
    case "openat": Int32(truncatingIfNeeded: arguments[2])
    default: nil
    }
  }

  /// The number of the argument that points to a path, for the calls whose path is told.
  private var pathArgument: Int? {
    switch systemCall {
    case "execve", "open", "chroot": 0
    case "execveat", "openat": 1
    default: nil
    }
  }

  /// What of the keyboard's memory it takes to judge the call or to tell of it: an address that is to be
  /// connected, a path that is to be told. Nil if nothing.
  var wantedMemory: (address: UInt64, count: Int)? {
    if ["connect", "bind"].contains(systemCall) {
      return (arguments[1], Int(min(arguments[2] & 0xffff_ffff, 128)))
    }
    guard let pathArgument else { return nil }
    // Opening for reading is told only if it is refused.
    if NotificationWatch.verdict(self) == .observe, openFlags.map({ $0 & O_ACCMODE }) == O_RDONLY {
      return nil
    }
    return (arguments[pathArgument], 256)
  }

  /// For people. What pointers point to was read from the keyboard's memory for the telling alone.
  ///
  /// - Parameters:
  ///   - bundle: where the keyboard's bundle lies on this machine.
  ///   - memory: what was read of ``wantedMemory``; nil if it could not be, or the keyboard did not wait in
  ///     the call any more.
  func detail(bundle: String, memory: [UInt8]?) -> String {
    switch systemCall {
    case "socket", "socketpair":
      return "\(systemCall) family \(SocketNames.family(arguments[0])),"
        + " type \(SocketNames.type(arguments[1]))"
    case "connect", "bind":
      guard let address = memory else {
        return "\(systemCall) to an address that could not be read"
      }
      return "\(systemCall) to \(SocketNames.address(address))"
    case "ptrace":
      return "ptrace request \(arguments[0])"
    default:
      guard pathArgument != nil else { return systemCall }
      guard let bytes = memory else {
        return "\(systemCall) of a path that could not be read"
      }
      let path = Self.tellable(
        Self.path(bytes), bundle: bundle)
      guard openFlags != nil else { return "\(systemCall) of \(path)" }
      return "\(systemCall) of \(path) for writing"
    }
  }

  /// A path in as far as it exists on this machine. The rest is the keyboard's own invention, and
  /// could be what the person typed, which must not get into a log, nor to whoever serves a file
  /// system: only what is in the kernel's memory is looked at.
  private static func tellable(_ path: String, bundle: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/") else { return "a path of its own folder" }
    var shown = ""
    for component in path.utf8.split(separator: UInt8(ascii: "/")).prefix(32) {
      let longer = shown + "/" + Substring(component)
      let isInBundle =
        longer == LaunchPlaces.shownBundle || longer.hasPrefix(LaunchPlaces.shownBundle + "/")
      let here = isInBundle ? bundle + longer.dropFirst(LaunchPlaces.shownBundle.count) : longer
      guard CachedPath.exists(here) else { return VisibleText.escape(shown + "/…") }
      shown = longer
    }
    return VisibleText.escape(shown.isEmpty ? "/" : shown, limit: 200)
  }

  /// The path of a call, for telling.
  /// - Parameter memory: what was read of ``wantedMemory``.
  static func path(_ memory: [UInt8]) -> String {
    String(decoding: memory.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads ``wantedMemory``; nil if it is not there. Waits as long as the keyboard lets it: for a lock that
  /// its other threads can hold for seconds.
  func readWantedMemory() -> [UInt8]? {
    guard let (address, count) = wantedMemory, count > 0, pid > 0 else { return nil }
    // A range may end at a page that is not there: read up to the page's end then.
    let rest = MemoryPage.size - Int(address % UInt64(MemoryPage.size))
    return (try? ProcessControl.readMemory(of: pid, at: address, count: count))
      ?? (try? ProcessControl.readMemory(of: pid, at: address, count: min(count, rest)))
  }
}
