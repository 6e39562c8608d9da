import CLinux

/// seccomp(2): a classic BPF program that decides each system call of the calling thread.
public enum SystemCallFilter {
  /// The most instructions the kernel takes (BPF_MAXINSNS).
  public static let maximumInstructions = 4096

  /// SECCOMP_FILTER_FLAG_*.
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// SECCOMP_FILTER_FLAG_NEW_LISTENER: the call returns a descriptor for notifications.
    public static let newListener = Options(rawValue: 1 << 3)
    /// SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (Linux 5.19): only a fatal signal interrupts a call
    /// whose notification has been received.
    public static let waitKillable = Options(rawValue: 1 << 5)
  }

  /// SECCOMP_RET_*, to ask whether the kernel has them.
  public enum Action: UInt32, CaseIterable, Sendable {
    case killProcess = 0x8000_0000
    case killThread = 0x0000_0000
    case trap = 0x0003_0000
    case errno = 0x0005_0000
    case userNotification = 0x7fc0_0000
    case trace = 0x7ff0_0000
    case log = 0x7ffc_0000
    case allow = 0x7fff_0000

    /// The kernel's word for it, as in /proc/sys/kernel/seccomp/actions_avail.
    public var name: String {
      switch self {
      case .killProcess: "kill_process"
      case .killThread: "kill_thread"
      case .trap: "trap"
      case .errno: "errno"
      case .userNotification: "user_notif"
      case .trace: "trace"
      case .log: "log"
      case .allow: "allow"
      }
    }

    /// Whether the running kernel has it.
    public var isAvailable: Bool { clinux_seccomp_action_available(rawValue) == 0 }
  }

  /// Whether the kernel knows `waitKillable`: it looks at the flags before the program.
  public static var supportsWaitKillable: Bool {
    let options: Options = [.newListener, .waitKillable]
    return clinux_seccomp_probe(options.rawValue) == -Int(Errno.badAddress.rawValue)
  }

  /// Loads a program of 8 bytes an instruction. Nothing but what the program allows can be done
  /// after it.
  ///
  /// - Returns: the listener's number with `.newListener`, closed on exec; otherwise 0.
  public static func load(_ program: [UInt8], _ options: Options) throws(Errno) -> Int32 {
    let count = program.count / 8
    guard program.count % 8 == 0, count > 0, count <= maximumInstructions else {
      throw .invalidArgument
    }
    var result = 0
    unsafe program.withUnsafeBytes { buffer in
      result = unsafe clinux_seccomp_load(
        buffer.baseAddress, UInt16(truncatingIfNeeded: count), options.rawValue)
    }
    return Int32(try Errno.check(result))
  }
}
