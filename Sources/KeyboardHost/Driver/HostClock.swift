import LinuxSystem

/// What a driver knows of time: the system's clocks, or a test's own.
package struct HostClock {
  package var now: () -> HostTime
  /// Nanoseconds of the processor that this thread has used.
  package var processor: () -> UInt64

  package init(now: @escaping () -> HostTime, processor: @escaping () -> UInt64) {
    self.now = now
    self.processor = processor
  }

  /// The clock that nobody sets, and the thread's own.
  package static var system: HostClock {
    HostClock(
      now: { HostTime(nanoseconds: MonotonicClock.nanoseconds) },
      processor: { MonotonicClock.threadNanoseconds })
  }
}
