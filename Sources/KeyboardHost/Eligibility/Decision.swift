/// Whether a keyboard may serve a field, with every reason: all that refuse, or all that allow.
public struct Decision: Sendable, Equatable {
  public var reasons: [DecisionReason]

  public init(reasons: [DecisionReason]) { self.reasons = reasons }

  public var isEligible: Bool { !reasons.contains { $0.scope != .none } }

  /// Whether the field refuses every custom keyboard. While such a field has focus all of them
  /// are frozen, so that none can time the keystrokes.
  public var fieldRefuses: Bool { reasons.contains { $0.scope == .field } }

  /// `eligible` or `refused`.
  public var verdict: String { isEligible ? "eligible" : "refused" }
}
