import Glibc

/// Monotonic time and the processors of this machine.
enum Clock {
  /// Microseconds.
  static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// How long the work took, in microseconds.
  static func measure(_ work: () throws -> Void) throws -> Double {
    let start = now()
    try work()
    return now() - start
  }
}
