import ClassicBPF
import SandboxPolicy

/// Proves that a compiled program means what its policy says, for every architecture, number and
/// argument there is: translation validation. libseccomp's output is not trusted, and no program
/// is used that has not passed.
public struct PolicyValidator: Sendable {
  /// What came out.
  public enum Outcome: Sendable, Hashable {
    /// The two agree on every input.
    case equal
    /// They part; this input shows it.
    case different(Counterexample)
  }

  /// An input on which a program and its policy part.
  public struct Counterexample: Sendable, Hashable {
    public var input: SeccompData
    public var program: SeccompAction
    public var policy: SeccompAction
  }

  private let budget: Int

  /// - Parameter budget: the most steps; see `InputSets`.
  public init(budget: Int = InputSets.ordinaryBudget) { self.budget = budget }

  /// Compares a program with a policy.
  ///
  /// - Parameter table: the table by which the policy's names mean numbers.
  /// - Throws: when the program cannot be followed for every input, which proves nothing.
  public func validate(
    _ program: BPFProgram, against policy: ResolvedSeccompPolicy, table: some SystemCallTable
  ) throws(AuditError) -> Outcome {
    let sets = InputSets(budget: budget)
    let meaning = try PolicyMeaning(of: policy, table: table, in: sets)
    let behaviour: [SeccompAction: InputSet]
    do throws(BPFError) {
      behaviour = try ProgramMeaning(of: program, in: sets).byAction(in: sets)
    } catch {
      throw FilterMeaning.error(error, "the compiled program", policy, in: sets)
    }
    let possible = Self.possibleInputs(policy, in: sets)
    let actions = Set(meaning.answers.keys).union(behaviour.keys)
    for action in actions.sorted(by: { $0.returnValue < $1.returnValue }) {
      let parted = sets.intersection(
        possible,
        sets.difference(meaning.answers[action] ?? .none, behaviour[action] ?? .none))
      guard !sets.isExhausted else {
        throw AuditError.exhausted(
          sets, "the compiled program", at: "comparing what gets \(action) with the policy")
      }
      guard let input = sets.element(of: parted) else { continue }
      let counterexample = Counterexample(
        input: input,
        program: SeccompAction(returnValue: program.run(on: input)),
        policy: PolicyEvaluator(policy, table: table).action(
          auditValue: input.architecture, number: input.number, arguments: input.arguments))
      // The simulator and the evaluator know nothing of sets: they check the checker.
      guard counterexample.program != counterexample.policy else {
        throw AuditError(
          "the comparison contradicts itself on architecture "
            + "0x\(String(input.architecture, radix: 16)), call \(input.number)")
      }
      return .different(counterexample)
    }
    return .equal
  }

  /// The inputs a kernel can present: 32-bit code has no upper halves of arguments.
  private static func possibleInputs(
    _ policy: ResolvedSeccompPolicy, in sets: InputSets
  ) -> InputSet {
    var result = InputSet.all
    for architecture in policy.architectures where !architecture.has64BitArguments {
      var zero = InputSet.all
      for index in 0..<6 {
        zero = sets.intersection(
          zero, sets.word(PolicyMeaning.lowWord(ofArgument: index) + 1, equals: 0))
      }
      var here = sets.word(SeccompData.architectureOffset / 4, equals: architecture.auditValue)
      if architecture == .x32 {
        here = sets.intersection(
          here,
          sets.union(
            sets.bit(30, ofWord: SeccompData.numberOffset / 4),
            sets.bit(31, ofWord: SeccompData.numberOffset / 4)))
      }
      result = sets.subtracting(sets.subtracting(zero, from: here), from: result)
    }
    return result
  }
}

extension ProgramMeaning {
  /// The answers by what the kernel makes of each return value.
  func byAction(in sets: InputSets) -> [SeccompAction: InputSet] {
    var result: [SeccompAction: InputSet] = [:]
    for (value, inputs) in answers.sorted(by: { $0.key < $1.key }) {
      let action = SeccompAction(returnValue: value)
      result[action] = sets.union(result[action] ?? .none, inputs)
    }
    return result
  }
}
