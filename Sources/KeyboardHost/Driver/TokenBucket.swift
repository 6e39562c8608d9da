/// Lets a burst through, and then so many a second.
struct TokenBucket {
  private let burst: Double
  private let perSecond: Double
  private var tokens: Double
  private var filledAt: HostTime?

  init(burst: Double, perSecond: Double) {
    self.burst = burst
    self.perSecond = perSecond
    tokens = burst
  }

  /// - Returns: whether one more is let through.
  mutating func take(at now: HostTime) -> Bool {
    let elapsed = filledAt.map { Double(now.milliseconds(since: $0)) / 1_000 } ?? 0
    // Too short a time adds nothing, and must not be forgotten.
    if filledAt == nil || elapsed > 0 {
      tokens = min(burst, tokens + elapsed * perSecond)
      filledAt = now
    }
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
