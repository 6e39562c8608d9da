import Glibc

/// The clock that nobody sets (`CLOCK_MONOTONIC`, `clock_gettime(2)`).
public enum MonotonicClock {
  /// Nanoseconds since some moment before this process began.
  public static var nanoseconds: UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
