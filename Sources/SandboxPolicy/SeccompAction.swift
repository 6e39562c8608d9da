import ErrorNames

/// What a filter answers to a system call.
public enum SeccompAction: Sendable, Hashable {
  /// Ends the whole process with SIGSYS.
  case killProcess
  /// Ends the calling thread only, which leaves the others running half dead.
  case killThread
  /// Sends SIGSYS, which the process may handle.
  case trap(UInt16)
  /// Fails with this error number; 0 pretends success.
  case errno(UInt16)
  /// Asks the supervisor that holds the filter's listener.
  case notify
  /// Asks a tracer, and fails with ENOSYS when there is none.
  case trace(UInt16)
  /// Allows, and writes a line to the audit log of the kernel.
  case log
  case allow

  /// The value a program returns for it (`linux/seccomp.h`).
  public var returnValue: UInt32 {
    switch self {
    case .killProcess: 0x8000_0000
    case .killThread: 0x0000_0000
    case .trap(let data): 0x0003_0000 | UInt32(data)
    case .errno(let number): 0x0005_0000 | UInt32(number)
    case .notify: 0x7fc0_0000
    case .trace(let data): 0x7ff0_0000 | UInt32(data)
    case .log: 0x7ffc_0000
    case .allow: 0x7fff_0000
    }
  }

  /// What the kernel does with a program's return value: unknown actions end the process, and
  /// error numbers above 4095 become 4095.
  public init(returnValue: UInt32) {
    let data = UInt16(truncatingIfNeeded: returnValue)
    switch returnValue & 0xffff_0000 {
    case 0x0000_0000: self = .killThread
    case 0x0003_0000: self = .trap(data)
    case 0x0005_0000: self = .errno(min(data, 4095))
    case 0x7fc0_0000: self = .notify
    case 0x7ff0_0000: self = .trace(data)
    case 0x7ffc_0000: self = .log
    case 0x7fff_0000: self = .allow
    default: self = .killProcess
    }
  }

  /// Whether the call runs when nobody else has a say.
  public var permits: Bool {
    switch self {
    case .allow, .log: true
    default: false
    }
  }
}

extension SeccompAction: CustomStringConvertible {
  /// In the words of the seccomp manual page: `ERRNO(38 ENOSYS)`, `ALLOW`.
  public var description: String {
    switch self {
    case .killProcess: "KILL_PROCESS"
    case .killThread: "KILL_THREAD"
    case .trap(let data): data == 0 ? "TRAP" : "TRAP(\(data))"
    case .errno(let number):
      if let name = ErrorNames.name(Int32(number)) {
        "ERRNO(\(number) \(name))"
      } else {
        "ERRNO(\(number))"
      }
    case .notify: "NOTIFY"
    case .trace(let data): data == 0 ? "TRACE" : "TRACE(\(data))"
    case .log: "LOG"
    case .allow: "ALLOW"
    }
  }
}
