import CLinux
import Glibc

/// The wish that this process ends (SIGTERM, SIGINT), as a descriptor to poll instead of an
/// interruption (`signalfd(2)`).
public struct SignalDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// From here on the two signals no longer end the process. Call it before other threads are made.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: Int32(try Errno.check(clinux_signal_descriptor(SIGTERM, SIGINT))))
  }

  /// The number to poll.
  public var rawValue: Int32 { descriptor.rawValue }
}
