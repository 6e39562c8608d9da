import CLinux

/// A process by descriptor (pidfd): no signal can reach another one that got the same number.
///
/// The descriptor becomes readable when the process ends.
public struct ProcessHandle: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// pidfd_open(2), Linux 5.3. A child that has not been waited for cannot be mistaken.
  public init(_ process: Int32) throws(Errno) {
    descriptor = FileDescriptor(
      owning: Int32(try Errno.check(clinux_pidfd_open(process, 0))))
  }

  /// The number to poll.
  public var rawValue: Int32 { descriptor.rawValue }

  /// A second descriptor for it at `minimum` or above, closed on exec.
  public borrowing func duplicate(minimum: Int32) throws(Errno) -> FileDescriptor {
    try descriptor.duplicate(minimum: minimum)
  }

  /// pidfd_send_signal(2).
  public borrowing func send(_ signal: Int32) throws(Errno) {
    _ = try Errno.check(clinux_pidfd_send_signal(descriptor.rawValue, signal))
  }

  /// pidfd_getfd(2), Linux 5.6: a copy of one of its descriptors.
  ///
  /// - Throws: `Errno.badFileDescriptor` when it has none with that number (yet).
  public borrowing func takeDescriptor(_ number: Int32) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      owning: Int32(try Errno.check(clinux_pidfd_getfd(descriptor.rawValue, number, 0))))
  }

  /// What has happened to this child, or nil if nothing did. Never waits.
  ///
  /// - Throws: `Errno.noChildProcess` if it is not a child of this process, or is reaped already.
  public borrowing func status(_ options: WaitOptions) throws(Errno) -> ProcessStatus? {
    var result = clinux_wait_result()
    _ = try Errno.check(unsafe clinux_waitid(1, descriptor.rawValue, options.rawValue, &result))
    // The kernel's codes: CLD_EXITED 1, KILLED 2, DUMPED 3, TRAPPED 4, STOPPED 5, CONTINUED 6.
    return switch result.code {
    case 1: .exited(result.status)
    case 2: .signaled(result.status, coreDumped: false)
    case 3: .signaled(result.status, coreDumped: true)
    case 4, 5: .stopped(result.status)
    case 6: .continued
    default: nil
    }
  }
}
