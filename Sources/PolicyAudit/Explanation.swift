import ClassicBPF
import SandboxPolicy

/// What a filter does with each call: effective answers and the conditions for them.
public struct Explanation: Sendable {
  /// One answer to a call, and for which arguments.
  public struct Row: Sendable, Hashable {
    public var action: SeccompAction
    /// Conjunctions of which one must hold; empty for "always" or, in the last row, "otherwise".
    public var conditions: [String]

    public init(action: SeccompAction, conditions: [String]) {
      self.action = action
      self.conditions = conditions
    }
  }

  /// One call of one architecture.
  public struct Call: Sendable, Hashable {
    public var architecture: SeccompArchitecture
    public var number: UInt32
    public var name: String
    /// With the answer that needs most words last, as "otherwise".
    public var rows: [Row]
    /// The policy's rules and fallbacks for the call, with their places.
    public var sources: [String]
  }

  public var calls: [Call]
  /// For each architecture the answers to numbers that the table has no name for.
  public var unknownCalls: [(architecture: SeccompArchitecture, actions: [SeccompAction])]
  /// The answers to all other architectures.
  public var foreignArchitectures: [SeccompAction]

  /// - Parameters:
  ///   - name: one call, or nil for all.
  ///   - budget: the most steps; see `InputSets`.
  public init(
    of subject: FilterSubject, space: CallSpace, call name: String? = nil,
    budget: Int = InputSets.ordinaryBudget
  ) throws(AuditError) {
    let sets = InputSets(budget: budget)
    let meaning = try FilterMeaning(of: subject, in: sets)
    calls = []
    unknownCalls = []
    var rest = InputSet.all
    for architecture in space.architectures {
      let here = space.inputs(of: architecture, in: sets)
      rest = sets.subtracting(here, from: rest)
      var unknown = sets.subtracting(
        sets.word(SeccompData.numberOffset / 4, equals: SeccompArchitecture.skippedCall),
        from: here)
      for (number, callName) in space.calls(on: architecture) {
        let inputs = space.inputs(of: number, on: architecture, in: sets)
        if name == nil { unknown = sets.subtracting(inputs, from: unknown) }
        if let name, name != callName { continue }
        calls.append(
          Call(
            architecture: architecture, number: number, name: callName,
            rows: try Self.rows(meaning, inputs) {
              "\(subject.name): gave up at \(AuditError.call(callName, number, on: architecture))"
            },
            sources: Self.sources(subject.policy, callName, architecture)))
        if sets.isExhausted {
          let call = AuditError.call(callName, number, on: architecture)
          throw AuditError.exhausted(sets, subject.name, at: call)
        }
      }
      if name == nil {
        unknownCalls.append((architecture, Self.actions(meaning, unknown)))
      }
    }
    foreignArchitectures = Self.actions(meaning, rest)
    if let name, calls.isEmpty {
      throw AuditError("no system call is named \(name)")
    }
    if sets.isExhausted {
      throw AuditError.exhausted(sets, subject.name, at: "calls of other architectures")
    }
  }

  private static func actions(_ meaning: FilterMeaning, _ inputs: InputSet) -> [SeccompAction] {
    meaning.answers.ordered.filter { !meaning.sets.intersection($0.value, inputs).isEmpty }.map(
      \.key
    )
    .sorted { $0.strictness < $1.strictness }
  }

  /// The most conditions that all answers but one are said in; one too many is as good as none.
  static let mostConditions = 1_024

  /// - Parameter failure: how an error begins.
  private static func rows(
    _ meaning: FilterMeaning, _ inputs: InputSet, failure: () -> String
  ) throws(AuditError) -> [Row] {
    let sets = meaning.sets
    var rows: [(row: Row, length: Int)] = []
    for (action, all) in meaning.answers.ordered {
      let part = sets.intersection(all, inputs)
      if part.isEmpty { continue }
      let unrestricted = sets.choice(inputs, part, .none) == inputs
      let texts = unrestricted ? [] : ConditionText.parts(of: part, in: sets, limit: mostConditions)
      rows.append((Row(action: action, conditions: texts ?? []), texts?.count ?? .max))
    }
    rows.sort { ($0.length, $0.row.action.strictness) < ($1.length, $1.row.action.strictness) }
    // Only one answer can go without its conditions.
    if rows.dropLast().contains(where: { $0.length == .max }), !sets.isExhausted {
      throw AuditError(
        "\(failure()): more than one of its answers takes more than \(mostConditions) conditions to tell. "
          + "Comparisons with fewer bits and fewer ranges take less; `audit simulate` answers for one "
          + "call, and `audit prove` for a claim")
    }
    // What takes most words is what is left when the others are said.
    if rows.count > 1 { rows[rows.count - 1].row.conditions = [] }
    return rows.map(\.row)
  }

  private static func sources(
    _ policy: ResolvedSeccompPolicy?, _ name: String, _ architecture: SeccompArchitecture
  ) -> [String] {
    guard let policy, policy.architectures.contains(architecture) else { return [] }
    var result = policy.rules.filter { $0.systemCall == name }.map { rule in
      let conditions = rule.conditions.map(\.description).joined(separator: " and ")
      return "\(rule.source): \(rule.action)" + (conditions.isEmpty ? "" : " if \(conditions)")
    }
    if let fallback = policy.fallbacks[name] {
      result.append("\(fallback.source): \(fallback.action) otherwise")
    }
    return result
  }
}
