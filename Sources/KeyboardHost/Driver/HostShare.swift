import LinuxSystem

/// What a keyboard may take of the host in a second: its processor's time, for its messages and for what the
/// kernel does when the host reads and writes what the two share, where the keyboard can have arranged much;
/// and requests. Whatever makes one slow to handle, the others and the person do not wait for it.
struct HostShare {
  /// Requests of its own in a second beyond which a keyboard is no keyboard any more. Answers do
  /// not count: the host asked for them.
  static let requestRate = 500
  /// Processor time in a second, in nanoseconds.
  static let processorTime: UInt64 = 300_000_000
  /// What it pays each time it wakes the host, in nanoseconds of that: the waiting itself and the look
  /// at what is due are not measured for each keyboard.
  static let wakeUpCost: UInt64 = 20_000

  private var window = HostTime.zero
  private var requests = 0
  private var used: UInt64 = 0
  /// The processor time at which what is being done for it began, or was last added; nil if nothing is.
  private var chargedUntil: UInt64?

  /// Whether what is being done is paid for by now.
  var isCharging: Bool { chargedUntil != nil }

  /// From now on it pays, until ``end()``.
  mutating func begin(paying wakeUp: UInt64, at now: HostTime) {
    if now.milliseconds(since: window) >= 1_000 {
      window = now
      requests = 0
      used = 0
    }
    used += wakeUp
    chargedUntil = MonotonicClock.threadNanoseconds
  }

  mutating func end() { chargedUntil = nil }

  /// Adds the time since this was last asked.
  /// - Returns: whether it took no more than its share.
  mutating func isWithinTime() -> Bool {
    if let since = chargedUntil {
      let time = MonotonicClock.threadNanoseconds
      used += time - since
      chargedUntil = time
    }
    return used <= Self.processorTime
  }

  /// - Returns: whether the keyboard may make one more request.
  mutating func takeRequest() -> Bool {
    requests += 1
    return requests <= Self.requestRate
  }
}
