/// The meaning of a resolved policy, from its rules alone: what compiled programs are compared
/// with. It shares nothing with the compiler but the policy.
public struct PolicyEvaluator: Sendable {
  /// What the policy says about one call of one architecture.
  public struct Entry: Sendable, Hashable {
    /// In order; none of them answers with the default action. Empty where the policy knows the
    /// call and has nothing to say about it.
    public var rules: [ResolvedSeccompPolicy.Rule] = []
    public var fallback: ResolvedSeccompPolicy.Fallback?
  }

  public let policy: ResolvedSeccompPolicy
  private let entries: [SeccompArchitecture: [UInt32: Entry]]

  /// - Parameter table: the table that names mean numbers by.
  public init(_ policy: ResolvedSeccompPolicy, table: some SystemCallTable) {
    self.policy = policy
    var entries: [SeccompArchitecture: [UInt32: Entry]] = [:]
    for architecture in policy.architectures {
      var calls: [UInt32: Entry] = [:]
      for rule in policy.rules {
        guard let number = table.number(of: rule.systemCall, on: architecture) else { continue }
        calls[number, default: Entry()].rules += rule.action == policy.defaultAction ? [] : [rule]
      }
      for (name, fallback) in policy.fallbacks {
        guard let number = table.number(of: name, on: architecture) else { continue }
        calls[number, default: Entry()].fallback = fallback
      }
      entries[architecture] = calls
    }
    self.entries = entries
  }

  /// The architecture that judges a call, or nil when it is foreign to the policy.
  ///
  /// - Parameters:
  ///   - auditValue: an `AUDIT_ARCH` value.
  ///   - number: the call's number with its x32 bit.
  public func architecture(auditValue: UInt32, number: UInt32) -> SeccompArchitecture? {
    let isX32 =
      auditValue == SeccompArchitecture.x32.auditValue && SeccompArchitecture.isX32(number: number)
    return policy.architectures.first {
      $0.auditValue == auditValue
        && (auditValue != SeccompArchitecture.x32.auditValue || ($0 == .x32) == isX32)
    }
  }

  /// What the rules say about one call, or nil when the policy does not know it.
  public func entry(for number: UInt32, on architecture: SeccompArchitecture) -> Entry? {
    entries[architecture]?[number]
  }

  /// The numbers that the policy knows on an architecture, in order.
  public func numbers(on architecture: SeccompArchitecture) -> [UInt32] {
    (entries[architecture] ?? [:]).keys.sorted()
  }

  /// The policy's answer to a call.
  public func action(
    auditValue: UInt32, number: UInt32, arguments: [UInt64]
  ) -> SeccompAction {
    guard let architecture = architecture(auditValue: auditValue, number: number) else {
      return policy.foreignArchitectureAction
    }
    guard let entry = entry(for: number, on: architecture) else {
      // It belongs to no table, so that no table can be too old for it.
      return number == SeccompArchitecture.skippedCall
        ? policy.defaultAction : policy.unknownCallAction ?? policy.defaultAction
    }
    if let rule = entry.rules.first(where: \.conditions.isEmpty) { return rule.action }
    let match = entry.rules.first { rule in
      rule.conditions.allSatisfy { condition in
        architecture.has64BitArguments
          ? condition.holds(for: arguments[condition.index])
          : condition.lowerHalf.holds(for: arguments[condition.index] & 0xffff_ffff)
      }
    }
    return match?.action ?? entry.fallback?.action ?? policy.defaultAction
  }
}
