import ClassicBPF
import SandboxPolicy

/// What a policy's rules answer to every possible input: the other side of the comparison with a
/// compiled program. It is built from the rules, and knows nothing of instructions.
struct PolicyMeaning {
  /// The inputs that get each action. The sets are disjoint, and together they are all inputs.
  let answers: [SeccompAction: InputSet]

  private let policy: ResolvedSeccompPolicy
  private let evaluator: PolicyEvaluator
  private let sets: InputSets

  /// The word of a 64-bit argument's lower half in `SeccompData`; the upper half is the next one.
  static func lowWord(ofArgument index: Int) -> Int { SeccompData.argumentsOffset / 4 + 2 * index }

  private static let numberWord = SeccompData.numberOffset / 4
  private static let architectureWord = SeccompData.architectureOffset / 4

  /// - Throws: when the rules are too complicated, naming the call and the rule.
  init(
    of policy: ResolvedSeccompPolicy, table: some SystemCallTable, in sets: InputSets
  ) throws(AuditError) {
    self.policy = policy
    self.sets = sets
    evaluator = PolicyEvaluator(policy, table: table)
    var actions: Set<SeccompAction> = [
      policy.defaultAction, policy.foreignArchitectureAction,
      policy.unknownCallAction ?? policy.defaultAction,
    ]
    actions.formUnion(policy.rules.map(\.action))
    actions.formUnion(policy.fallbacks.values.map(\.action))
    let calls = try Self.calls(of: policy, evaluator, table, in: sets)
    var answers: [SeccompAction: InputSet] = [:]
    for action in actions.sorted(by: { $0.returnValue < $1.returnValue }) {
      let set = Self.inputs(getting: action, policy, calls, in: sets)
      if !set.isEmpty { answers[action] = set }
      if sets.isExhausted {
        throw AuditError.exhausted(
          sets, "the policy", at: "putting together what \(action) answers")
      }
    }
    self.answers = answers
  }

  /// For each architecture and number the policy knows: which arguments get which action.
  private typealias Calls = [SeccompArchitecture: [(
    number: UInt32, answers: [SeccompAction: InputSet]
  )]]

  private static func calls(
    of policy: ResolvedSeccompPolicy, _ evaluator: PolicyEvaluator, _ table: some SystemCallTable,
    in sets: InputSets
  ) throws(AuditError) -> Calls {
    var result: Calls = [:]
    for architecture in policy.architectures {
      for number in evaluator.numbers(on: architecture) {
        var answers: [SeccompAction: InputSet] = [:]
        if let entry = evaluator.entry(for: number, on: architecture) {
          answers = try Self.answers(of: entry, policy, on: architecture, in: sets)
        }
        result[architecture, default: []].append((number, answers))
      }
    }
    return result
  }

  private static func answers(
    of entry: PolicyEvaluator.Entry, _ policy: ResolvedSeccompPolicy,
    on architecture: SeccompArchitecture, in sets: InputSets
  ) throws(AuditError) -> [SeccompAction: InputSet] {
    if let rule = entry.rules.first(where: \.conditions.isEmpty) { return [rule.action: .all] }
    var result: [SeccompAction: InputSet] = [:]
    var rest = InputSet.all
    for rule in entry.rules {
      let holds = rule.conditions.reduce(InputSet.all) {
        sets.intersection($0, inputs(meeting: $1, on: architecture, in: sets))
      }
      result[rule.action] = sets.union(
        result[rule.action] ?? .none, sets.intersection(rest, holds))
      rest = sets.subtracting(holds, from: rest)
      if sets.isExhausted {
        let call = AuditError.call(rule.systemCall, 0, on: architecture)
        throw AuditError.exhausted(sets, "\(rule.source)", at: "this rule of \(call)")
      }
    }
    let action = entry.fallback?.action ?? policy.defaultAction
    result[action] = sets.union(result[action] ?? .none, rest)
    return result
  }

  /// The inputs that meet a condition.
  static func inputs(
    meeting condition: ArgumentCondition, on architecture: SeccompArchitecture, in sets: InputSets
  ) -> InputSet {
    let low = lowWord(ofArgument: condition.index)
    // Where registers have 32 bits, libseccomp compares no more than those.
    let words = architecture.has64BitArguments ? [low, low + 1] : [low]
    func masked(_ mask: UInt64, _ datum: UInt64) -> InputSet {
      words.reduce(InputSet.all) { result, word in
        let shift = word == low ? UInt64(0) : 32
        let bits = UInt32(truncatingIfNeeded: mask >> shift)
        return sets.intersection(
          result,
          sets.word(
            word, mask: bits, equals: UInt32(truncatingIfNeeded: datum >> shift) & bits))
      }
    }
    func less(_ datum: UInt64) -> InputSet {
      // A smaller value agrees with the datum from the top down to a bit that the datum alone has.
      var result = InputSet.none
      for bit in 0..<(32 * words.count) where datum >> UInt64(bit) & 1 == 1 {
        let above = UInt64.max << UInt64(bit)
        result = sets.union(result, masked(above, datum & above & ~(1 << UInt64(bit))))
      }
      return result
    }
    switch condition.test {
    case .equal(let datum): return masked(.max, datum)
    case .maskedEqual(let mask, let datum): return masked(mask, datum & mask)
    case .notEqual(let datum): return sets.complement(masked(.max, datum))
    case .less(let datum): return less(datum)
    case .lessOrEqual(let datum): return sets.union(less(datum), masked(.max, datum))
    case .greaterOrEqual(let datum): return sets.complement(less(datum))
    case .greater(let datum):
      return sets.complement(sets.union(less(datum), masked(.max, datum)))
    }
  }

  /// All inputs that get an action: a decision by architecture, then by number, then by arguments.
  private static func inputs(
    getting action: SeccompAction, _ policy: ResolvedSeccompPolicy, _ calls: Calls,
    in sets: InputSets
  ) -> InputSet {
    func constant(_ other: SeccompAction) -> InputSet { other == action ? .all : .none }
    let foreign = constant(policy.foreignArchitectureAction)
    let unknown = constant(policy.unknownCallAction ?? policy.defaultAction)
    let x32 = SeccompArchitecture.x32Bit

    /// The segments of numbers up to `end`, which begin after the last of `segments`.
    func append(
      _ architecture: SeccompArchitecture?, to segments: inout [(upTo: UInt32, set: InputSet)],
      end: UInt32
    ) {
      guard let architecture else {
        segments.append((end, foreign))
        return
      }
      for (number, answers) in calls[architecture] ?? [] where number <= end {
        let begin = segments.last.map { $0.upTo + 1 } ?? 0
        if number > begin { segments.append((number - 1, unknown)) }
        segments.append((number, answers[action] ?? .none))
      }
      if segments.last?.upTo != end { segments.append((end, unknown)) }
    }

    var byArchitecture: [UInt32: InputSet] = [:]
    for architecture in policy.architectures {
      let auditValue = architecture.auditValue
      if byArchitecture[auditValue] != nil { continue }
      var segments: [(upTo: UInt32, set: InputSet)] = []
      if auditValue == SeccompArchitecture.x8664.auditValue {
        append(policy.architectures.first { $0 == .x8664 }, to: &segments, end: x32 - 1)
        append(
          policy.architectures.first { $0 == .x32 }, to: &segments,
          end: SeccompArchitecture.skippedCall - 1)
        // A skipped call counts as one of x86-64.
        segments.append(
          (
            .max,
            policy.architectures.contains(.x8664) ? constant(policy.defaultAction) : foreign
          ))
      } else {
        append(architecture, to: &segments, end: .max)
      }
      byArchitecture[auditValue] = sets.switching(on: numberWord, segments)
    }
    var segments: [(upTo: UInt32, set: InputSet)] = []
    for (auditValue, set) in byArchitecture.sorted(by: { $0.key < $1.key }) {
      let begin = segments.last.map { $0.upTo + 1 } ?? 0
      if auditValue > begin { segments.append((auditValue - 1, foreign)) }
      segments.append((auditValue, set))
    }
    segments.append((.max, foreign))
    return sets.switching(on: architectureWord, segments)
  }
}
