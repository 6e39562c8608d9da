/// A system-call policy for one situation, with nothing left to decide: what the compiler takes
/// and what the compiled program is proved equal to.
///
/// Its meaning, call by call: rules whose action is the default one say nothing; the first
/// unconditional rule decides; without one, the first conditional rule that holds; without one,
/// the call's fallback; without one, the default action. A number for which no rule names a call
/// gets `unknownCallAction`.
public struct ResolvedSeccompPolicy: Sendable, Hashable {
  /// One rule for one call.
  public struct Rule: Sendable, Hashable {
    public var systemCall: String
    /// All must hold; none means always.
    public var conditions: [ArgumentCondition]
    public var action: SeccompAction
    public var source: PolicyLocation

    public init(
      systemCall: String, conditions: [ArgumentCondition] = [], action: SeccompAction,
      source: PolicyLocation
    ) {
      self.systemCall = systemCall
      self.conditions = conditions
      self.action = action
      self.source = source
    }
  }

  /// The answer to a call none of whose conditional rules holds.
  public struct Fallback: Sendable, Hashable {
    public var action: SeccompAction
    public var source: PolicyLocation

    public init(action: SeccompAction, source: PolicyLocation) {
      self.action = action
      self.source = source
    }
  }

  /// The answer where no rule and no fallback speaks.
  public var defaultAction: SeccompAction
  /// The architectures whose calls the rules judge.
  public var architectures: [SeccompArchitecture]
  /// The answer to calls of every other architecture, x32 included when it is not listed.
  public var foreignArchitectureAction: SeccompAction
  /// Rules with the default action say nothing, but make their calls known.
  public var rules: [Rule]
  /// The answer to numbers of no call that the rules name; nil for the default action.
  public var unknownCallAction: SeccompAction?
  /// By the call's name.
  public var fallbacks: [String: Fallback]

  public init(
    defaultAction: SeccompAction, architectures: [SeccompArchitecture],
    foreignArchitectureAction: SeccompAction, rules: [Rule], fallbacks: [String: Fallback] = [:]
  ) {
    self.defaultAction = defaultAction
    self.architectures = architectures
    self.foreignArchitectureAction = foreignArchitectureAction
    self.rules = rules
    self.fallbacks = fallbacks
  }
}
