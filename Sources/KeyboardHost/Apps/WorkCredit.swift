/// How much one may do at once and in a second, of whatever is counted. What is done is known afterwards:
/// who has done more than there was rests until that is made up for. A millisecond has to add one at least.
struct WorkCredit {
  private let burst: Int64
  private let perSecond: Int64
  /// What is left; below 0 nothing may be done.
  private var left: Int64
  private var filledAt: HostTime

  init(burst: Int64, perSecond: Int64, now: HostTime) {
    self.burst = burst
    self.perSecond = perSecond
    left = burst
    filledAt = now
  }

  mutating func charge(_ amount: Int64) { left -= min(amount, .max / 4) }

  /// Until when nothing may be done; nil when something may.
  mutating func restsUntil(_ now: HostTime) -> HostTime? {
    let milliseconds = now.milliseconds(since: filledAt)
    // Too short a time adds nothing, and must not be forgotten.
    if milliseconds > 0 {
      filledAt = now
      left = min(left + Int64(min(milliseconds, 100_000)) * perSecond / 1_000, burst)
    }
    guard left < 0 else { return nil }
    let seconds = -left / perSecond
    let rest = -left % perSecond * 1_000 / perSecond
    return now.adding(milliseconds: UInt64(seconds * 1_000 + rest) + 1)
  }
}
