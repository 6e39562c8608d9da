/// How many connects a keyboard may try, or how many names it may have looked up. Each is a line in the
/// audit log, which must not be pushed out of its files by a keyboard that tries them by the thousand.
struct ConnectBudget {
  /// Tries at once, after a quiet time.
  static let burst = 512.0
  /// Tries a second, in the long run.
  static let rate = 10.0

  private var left = ConnectBudget.burst
  private var last: HostTime?

  /// Takes one try out of the budget.
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
