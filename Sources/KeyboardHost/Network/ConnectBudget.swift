/// How many connects a keyboard may try. Each is a line in the audit log, which must not be pushed
/// out of its files by a keyboard that tries addresses by the thousand.
struct ConnectBudget {
  /// Connects at once, after a quiet time.
  static let burst = 512.0
  /// Connects a second, in the long run.
  static let rate = 10.0

  private var left = ConnectBudget.burst
  private var last: HostTime?

  /// Takes one connect out of the budget.
  /// - Returns: whether it was there.
  mutating func take(at now: HostTime) -> Bool {
    if let last {
      let seconds = Double(now.milliseconds(since: last)) / 1_000
      left = min(Self.burst, left + seconds * Self.rate)
      // What is less than a millisecond is kept for the next time.
      if seconds > 0 { self.last = now }
    } else {
      last = now
    }
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
