import Glibc

/// The clock that nobody sets (`CLOCK_MONOTONIC`, `clock_gettime(2)`).
public enum MonotonicClock {
  /// Nanoseconds since some moment before this process began.
  public static var nanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds that the calling thread has used of a processor (`CLOCK_THREAD_CPUTIME_ID`).
  public static var threadNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
