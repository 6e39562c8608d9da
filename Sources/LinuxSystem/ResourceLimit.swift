import CLinux

/// A resource that setrlimit(2) bounds, by its number on x86-64 and AArch64.
public enum Resource: Int32, CaseIterable, Sendable {
  case fileSize = 1
  case data = 2
  case stack = 3
  case core = 4
  case processes = 6
  case openFiles = 7
  case lockedMemory = 8
  case addressSpace = 9
  case pendingSignals = 11
  case messageQueues = 12
  case nice = 13
  case realTimePriority = 14

  /// The C constant.
  public var name: String {
    switch self {
    case .fileSize: "RLIMIT_FSIZE"
    case .data: "RLIMIT_DATA"
    case .stack: "RLIMIT_STACK"
    case .core: "RLIMIT_CORE"
    case .processes: "RLIMIT_NPROC"
    case .openFiles: "RLIMIT_NOFILE"
    case .lockedMemory: "RLIMIT_MEMLOCK"
    case .addressSpace: "RLIMIT_AS"
    case .pendingSignals: "RLIMIT_SIGPENDING"
    case .messageQueues: "RLIMIT_MSGQUEUE"
    case .nice: "RLIMIT_NICE"
    case .realTimePriority: "RLIMIT_RTPRIO"
    }
  }

  /// Sets soft and hard to `value`, or keeps a hard limit that is lower already.
  public func limit(to value: UInt64) throws(Errno) {
    var soft: UInt64 = 0
    var hard: UInt64 = 0
    _ = try Errno.check(unsafe clinux_getrlimit(rawValue, &soft, &hard))
    let bound = min(value, hard)
    _ = try Errno.check(clinux_setrlimit(rawValue, bound, bound))
  }

  /// The limits in force.
  public func current() throws(Errno) -> (soft: UInt64, hard: UInt64) {
    var soft: UInt64 = 0
    var hard: UInt64 = 0
    _ = try Errno.check(unsafe clinux_getrlimit(rawValue, &soft, &hard))
    return (soft, hard)
  }
}
