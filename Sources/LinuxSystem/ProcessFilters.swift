import CLinux

/// The system-call filters of a running process, as the kernel holds them.
public enum ProcessFilters {
  /// Why they cannot be read.
  public enum Failure: Error, Sendable, Hashable {
    /// The process or thread is not there, or ended meanwhile.
    case noProcess
    /// Attaching to it with ptrace(2) is refused: it belongs to somebody else, is traced already,
    /// or a security module forbids it.
    case attach(Errno)
    /// Attached, but the kernel does not hand filters out: it takes CAP_SYS_ADMIN, and a reader that
    /// is under no filter itself.
    case filter(Errno)
    /// It did not stand still within a second.
    case busy
  }

  private static let patience: UInt32 = 1_000

  /// The programs of one thread, 8 bytes an instruction, the oldest first: the order in which the
  /// kernel counts them (measured; the manual page has it the other way round). The thread stands
  /// still for as long as it takes, and a stopped one stays stopped.
  public static func read(thread: Int32) throws(Failure) -> [[UInt8]] {
    var signal: Int32 = 0
    let begun = unsafe clinux_trace_begin(thread, patience, &signal)
    if begun < 0 {
      switch Errno(rawValue: Int32(-begun)) {
      case .noSuchProcess, .noChildProcess: throw .noProcess
      case .timedOut: throw .busy
      case let error: throw .attach(error)
      }
    }
    defer { clinux_trace_end(thread, signal) }
    var programs: [[UInt8]] = []
    while true {
      var bytes = [UInt8](repeating: 0, count: SystemCallFilter.maximumInstructions * 8)
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe clinux_trace_filter(thread, UInt(programs.count), buffer.baseAddress)
      }
      if count < 0 {
        switch Errno(rawValue: Int32(-count)) {
        // No (more) filters; the kernel says EINVAL when there is none at all.
        case .noSuchFile, .invalidArgument: return programs
        case .noSuchProcess: throw .noProcess
        case let error: throw .filter(error)
        }
      }
      programs.append(Array(bytes.prefix(count * 8)))
    }
  }
}
