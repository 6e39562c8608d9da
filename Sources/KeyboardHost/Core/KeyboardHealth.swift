import TextInput

/// What the host remembers of a keyboard's failures, so that one that cannot run is tried again
/// more and more rarely and then no more, and one that failed long ago is not held to it.
struct KeyboardHealth {
  private(set) var failures: [HostTime] = []
  private(set) var consecutive = 0
  /// Not started before this moment.
  private(set) var notBefore: HostTime?
  private(set) var isDisabled = false
  /// Why it ended last, for the inputs the system keyboard handles meanwhile.
  private(set) var lastReason: HandledInput.Reason?
  /// Whether it ended last because the focus went to a field that refuses it, before it was ready.
  var isEndedByFocus = false
  /// The last layout it declared: what its keys type when it is gone.
  var lastLayout: KeyboardLayout?

  /// - Returns: the delay before the next start in milliseconds, or nil when there is none.
  mutating func recordFailure(
    at now: HostTime, readySince: HostTime?, reason: HandledInput.Reason, deadlines: HostDeadlines
  ) -> UInt64? {
    if let readySince, now.milliseconds(since: readySince) >= deadlines.healthy {
      failures = []
      consecutive = 0
    }
    failures.removeAll { now.milliseconds(since: $0) >= deadlines.failureWindow }
    failures.append(now)
    consecutive += 1
    lastReason = reason
    guard failures.count < deadlines.maximumFailures else {
      isDisabled = true
      notBefore = nil
      return nil
    }
    let delay = deadlines.restart << UInt64(min(consecutive - 1, 5))
    notBefore = now.adding(milliseconds: delay)
    return delay
  }

  /// Why the keyboard may not be started now, or nil if it may.
  func obstacle(at now: HostTime) -> HandledInput.Reason? {
    if isDisabled { return .disabled }
    guard let notBefore, now < notBefore else { return nil }
    return lastReason
  }

  mutating func forgive() {
    failures = []
    consecutive = 0
    notBefore = nil
    isDisabled = false
    lastReason = nil
  }
}
