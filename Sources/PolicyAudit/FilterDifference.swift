import ClassicBPF
import SandboxPolicy

/// What changes between two filters, by meaning and not by text: empty exactly when they answer
/// every input alike.
public struct FilterDifference: Sendable {
  /// How a change matters.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Ran into a refusal before, runs now.
    case newlyAllowed
    /// Ran before, is refused now.
    case newlyDenied
    /// Refused or decided in another way.
    case changed
  }

  /// One call's change from one answer to another.
  public struct Change: Sendable, Hashable {
    public var kind: Kind
    public var before: SeccompAction
    public var after: SeccompAction
    /// Nil for numbers without a name and for foreign architectures.
    public var systemCall: String?
    public var architecture: SeccompArchitecture?
    /// Conjunctions of which one must hold; "always" alone, or empty when there are too many to
    /// write down.
    public var conditions: [String]
    /// A call that shows the change; its action is the new one.
    public var witness: Witness
  }

  public var changes: [Change]

  /// Whether the filters mean the same.
  public var isEmpty: Bool { changes.isEmpty }

  /// - Parameter budget: the most steps; see `InputSets`.
  public init(
    from old: FilterSubject, to new: FilterSubject, space: CallSpace,
    budget: Int = InputSets.ordinaryBudget
  ) throws(AuditError) {
    let sets = InputSets(budget: budget)
    let before = try FilterMeaning(of: old, in: sets)
    let after = try FilterMeaning(of: new, in: sets)
    var changes: [Change] = []
    for (first, oldInputs) in before.answers.ordered {
      for (second, newInputs) in after.answers.ordered where second != first {
        var rest = sets.intersection(oldInputs, newInputs)
        if rest.isEmpty { continue }
        func append(
          _ part: InputSet, _ architecture: SeccompArchitecture?, _ name: String?,
          _ conditions: [String]
        ) {
          guard let element = sets.element(of: part) else { return }
          changes.append(
            Change(
              kind: Self.kind(first, second), before: first, after: second, systemCall: name,
              architecture: architecture, conditions: conditions,
              witness: Witness(element, action: second, space: space)))
        }
        for architecture in space.architectures {
          let here = sets.intersection(rest, space.inputs(of: architecture, in: sets))
          if here.isEmpty { continue }
          var unknown = here
          for (number, name) in space.calls(on: architecture) {
            let inputs = space.inputs(of: number, on: architecture, in: sets)
            let part = sets.intersection(here, inputs)
            if part.isEmpty { continue }
            unknown = sets.subtracting(inputs, from: unknown)
            let conditions =
              part == inputs
              ? ["always"] : ConditionText.parts(of: part, in: sets, limit: 16) ?? []
            append(part, architecture, name, conditions)
            if sets.isExhausted {
              let call = AuditError.call(name, number, on: architecture)
              throw AuditError.exhausted(sets, "\(old.name) and \(new.name)", at: call)
            }
          }
          append(unknown, architecture, nil, [])
          rest = sets.subtracting(here, from: rest)
        }
        append(rest, nil, nil, [])
      }
    }
    if sets.isExhausted {
      throw AuditError.exhausted(
        sets, "\(old.name) and \(new.name)", at: "calls of other architectures")
    }
    self.changes = changes.sorted(by: Self.precedes)
  }

  private static func kind(_ before: SeccompAction, _ after: SeccompAction) -> Kind {
    switch (before.permits, after.permits) {
    case (false, true): .newlyAllowed
    case (true, false): .newlyDenied
    default: .changed
    }
  }

  private static func precedes(_ a: Change, _ b: Change) -> Bool {
    func key(_ change: Change) -> (Int, UInt32, UInt32, Int) {
      (
        Kind.allCases.firstIndex(of: change.kind) ?? 0, ~change.witness.input.architecture,
        change.witness.input.number, change.after.strictness
      )
    }
    return key(a) < key(b)
  }
}
