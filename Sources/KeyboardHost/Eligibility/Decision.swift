/// Whether a keyboard may serve a field, with every reason: all that refuse, or all that allow.
public struct Decision: Sendable, Equatable {
  public var reasons: [DecisionReason]

  public init(reasons: [DecisionReason]) { self.reasons = reasons }

  public var isEligible: Bool { !reasons.contains { $0.scope != .none } }

  /// Whether the field refuses every custom keyboard. While such a field has focus all of them
  /// are frozen, so that none can time the keystrokes.
  public var fieldRefuses: Bool { reasons.contains { $0.scope == .field } }

  /// Whether an instance of the keyboard serves the field that is started for it, without open access
  /// and with a container in memory, and ends with its focus.
  public var isIncognito: Bool { isEligible && reasons.contains { $0.isIncognito } }

  /// `eligible` or `refused`.
  public var verdict: String { isEligible ? "eligible" : "refused" }
}
