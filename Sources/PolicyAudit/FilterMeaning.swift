import ClassicBPF
import SandboxPolicy
import Seccomp

/// What a filter answers to every input, stacked programs composed.
public struct FilterMeaning {
  /// The inputs that get each action: disjoint, and together all inputs.
  public let answers: [SeccompAction: InputSet]
  /// Where the sets live.
  public let sets: InputSets

  /// - Parameter sets: give the same to every filter that is to be compared.
  public init(of subject: FilterSubject, in sets: InputSets) throws(AuditError) {
    var composed: [SeccompAction: InputSet] = [.allow: .all]
    // From the newest program on, as the kernel goes: an older one wins only by being stricter.
    for (index, program) in subject.programs.enumerated().reversed() {
      let next: [SeccompAction: InputSet]
      do throws(BPFError) {
        next = try ProgramMeaning(of: program, in: sets).byAction(in: sets)
      } catch {
        let which = subject.programs.count > 1 ? ", filter \(index)" : ""
        throw Self.error(error, "\(subject.name)\(which)", subject.policy, in: sets)
      }
      if index == subject.programs.count - 1 {
        composed = next
        continue
      }
      var both: [SeccompAction: InputSet] = [:]
      for (newer, first) in composed.ordered {
        for (older, second) in next.ordered {
          let inputs = sets.intersection(first, second)
          if inputs.isEmpty { continue }
          let winner = older.strictness < newer.strictness ? older : newer
          both[winner] = sets.union(both[winner] ?? .none, inputs)
        }
      }
      composed = both
      guard !sets.isExhausted else {
        throw AuditError.exhausted(
          sets, subject.name, at: "putting filter \(index) below the others")
      }
    }
    answers = composed
    self.sets = sets
  }

  /// Names the call, and the rules for it, at which a program could not be followed further.
  static func error(
    _ error: BPFError, _ name: String, _ policy: ResolvedSeccompPolicy?, in sets: InputSets
  ) -> AuditError {
    guard sets.isExhausted, let input = error.input, let instruction = error.instruction else {
      return AuditError("\(name): \(error)")
    }
    let call = systemCallName(input.number, auditArchitecture: input.architecture)
    let architecture = SeccompArchitecture.allCases.first {
      $0.auditValue == input.architecture
        && ($0 == .x32)
          == ($0.auditValue == SeccompArchitecture.x32.auditValue
            && SeccompArchitecture.isX32(number: input.number))
    }
    var place = "instruction \(instruction)"
    if let architecture {
      place += ", on the way of \(AuditError.call(call, input.number, on: architecture))"
    }
    if let rule = policy?.rules.first(where: { $0.systemCall == call && !$0.conditions.isEmpty }) {
      place += " (whose rules with conditions begin at \(rule.source))"
    }
    return .exhausted(sets, name, at: place)
  }

  /// The inputs whose action meets a condition.
  public func inputs(where condition: (SeccompAction) -> Bool) -> InputSet {
    answers.ordered.reduce(InputSet.none) { condition($1.key) ? sets.union($0, $1.value) : $0 }
  }
}
