import CLinux

/// A timer that is readable when it has expired (timerfd, monotonic clock).
public struct Timer: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init() throws(Errno) {
    descriptor = FileDescriptor(owning: Int32(try Errno.check(clinux_timer_create())))
  }

  /// The number to poll.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Expires every so many nanoseconds; 0 stops it.
  public borrowing func repeatEvery(nanoseconds: UInt64) throws(Errno) {
    _ = try Errno.check(clinux_timer_set(descriptor.rawValue, nanoseconds))
  }

  /// Takes note of the expiry, so that the descriptor is not readable until the next one.
  public borrowing func acknowledge() { _ = try? descriptor.read(upTo: 8) }
}
