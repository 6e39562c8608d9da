import ClassicBPF
import SandboxPolicy

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
        throw AuditError("\(subject.name)\(which): \(error)")
      }
      if index == subject.programs.count - 1 {
        composed = next
        continue
      }
      var both: [SeccompAction: InputSet] = [:]
      for (newer, first) in composed {
        for (older, second) in next {
          let inputs = sets.intersection(first, second)
          if inputs.isEmpty { continue }
          let winner = older.strictness < newer.strictness ? older : newer
          both[winner] = sets.union(both[winner] ?? .none, inputs)
        }
      }
      composed = both
    }
    guard !sets.isExhausted else {
      throw AuditError("\(subject.name): too complicated to follow for every input")
    }
    answers = composed
    self.sets = sets
  }

  /// The inputs whose action meets a condition.
  public func inputs(where condition: (SeccompAction) -> Bool) -> InputSet {
    answers.reduce(InputSet.none) { condition($1.key) ? sets.union($0, $1.value) : $0 }
  }
}
