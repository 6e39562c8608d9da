import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import StrictJSON
import TerminalText

/// A policy allows nothing that it does not name: calls that no rule names get the default action,
/// and no action allows where neither the default nor a rule does.
func checkPolicy(_ bytes: [UInt8]) throws(FuzzFinding) {
  let policy: SeccompPolicy
  do { policy = try SeccompPolicy(parsing: bytes, file: "policy.json") } catch {
    try check(error, in: bytes)
    return
  }
  for note in policy.notes {
    try demand(VisibleText.isSafe(note.message), "a note cannot be shown")
  }
  let table = SmallTable()
  for architecture in [SeccompArchitecture.x8664, .aarch64] {
    let situation = PolicySituation(
      architecture: architecture, kernel: KernelVersion(major: 6, minor: 1),
      capabilities: ["CAP_SYS_ADMIN"])
    let resolved: ResolvedSeccompPolicy
    do { resolved = try policy.resolve(for: situation, table: table).policy } catch {
      try check(error, in: bytes)
      continue
    }
    try demand(resolved.architectures.contains(architecture), "the native architecture is missing")
    let named = Set(policy.rules.flatMap(\.names).map(\.text))
    let permitting = Set(policy.rules.filter(\.action.permits).flatMap(\.names).map(\.text))
    let evaluator = PolicyEvaluator(resolved, table: table)
    for input in samples(of: bytes, table: table) {
      let action = evaluator.action(
        auditValue: input.architecture, number: input.number, arguments: input.arguments)
      guard
        let judge = evaluator.architecture(auditValue: input.architecture, number: input.number)
      else {
        try demand(!action.permits, "a call of a foreign architecture is allowed")
        continue
      }
      let name = table.name(of: input.number, on: judge)
      if name.map({ !named.contains($0) }) ?? true {
        try demand(action == policy.defaultAction, "a call without a rule is not for the default")
      }
      if action.permits, !policy.defaultAction.permits {
        try demand(name.map(permitting.contains) ?? false, "what no rule allows is allowed")
      }
    }
  }
}

private func check(_ error: PolicyError, in bytes: [UInt8]) throws(FuzzFinding) {
  try demand(VisibleText.isSafe(error.description), "a message of an error cannot be shown")
  guard let place = error.location else { return }
  let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
  try demand((1...lines).contains(place.line), "an error stands outside the file")
}

/// Calls to put to a filter, some of them made of the input's own bytes.
private func samples(of bytes: [UInt8], table: SmallTable) -> [SeccompData] {
  var input = FuzzInput(bytes.reversed())
  var result: [SeccompData] = []
  for (index, number) in (SmallTable.numbers + [0, .max, 0x4000_0029, 12_345]).enumerated() {
    let architecture =
      [SeccompArchitecture.x8664, .x86, .aarch64, .arm][index % 4 == 0 ? input.below(4) : 0]
    let small = (0..<6).map { _ in UInt64(input.byte()) }
    let arguments = input.bool() ? small : small.map { $0 | UInt64(input.uint32()) << 32 }
    result.append(
      SeccompData(
        number: number, architecture: architecture.auditValue,
        arguments: architecture.has64BitArguments ? arguments : small))
  }
  return result
}

/// Follows what the audit reads as a filter: the proofs must agree with the simulator, and a
/// compiled policy that is proved equal with the policy's evaluator.
func checkFilter(_ bytes: [UInt8]) throws(FuzzFinding) {
  let situation = PolicySituation(
    architecture: .x8664, kernel: KernelVersion(major: 6, minor: 1))
  let subject: FilterSubject
  do throws(AuditError) {
    subject = try FilterReader(situation: situation).read(bytes, name: "filter") {
      name throws(PolicyError) in
      throw PolicyError("there is no file \(VisibleText.escape(name))")
    }
  } catch {
    try demand(VisibleText.isSafe(error.description), "a message of an error cannot be shown")
    return
  }
  let table = LibseccompTable()
  let inputs = samples(of: bytes, table: SmallTable())
  for program in subject.programs {
    let again = try mustNotThrow("a program's bytes are not read") { () throws(BPFError) in
      try BPFProgram(bytes: program.bytes)
    }
    try demand(again == program, "a program changes when written")
    _ = program.disassembly
    for input in inputs { _ = program.run(on: input) }
    // Small, so that a run is short; what is too complicated is said to be.
    let sets = InputSets(limit: 100_000)
    guard let meaning = try? ProgramMeaning(of: program, in: sets) else { continue }
    try demand(program.problems().isEmpty, "a program the kernel refuses was followed")
    for input in inputs {
      let answer = program.run(on: input)
      let holders = meaning.answers.filter { sets.contains(input, in: $0.value) }
      try demand(
        holders.map(\.key) == [answer],
        "a program answers \(answer), and was proved to answer \(holders.map(\.key))")
    }
  }
  guard let policy = subject.policy, let program = subject.programs.first,
    let outcome = try? PolicyValidator().validate(program, against: policy, table: table)
  else { return }
  let evaluator = PolicyEvaluator(policy, table: table)
  guard outcome == .equal else { return }
  for input in inputs {
    let answer = SeccompAction(returnValue: program.run(on: input))
    let wanted = evaluator.action(
      auditValue: input.architecture, number: input.number, arguments: input.arguments)
    try demand(answer == wanted, "a filter was proved equal to a policy that it is not equal to")
  }
}

/// A proof of a claim is right: its witnesses are let through, and where there are none the
/// simulator finds none.
func checkClaim(_ bytes: [UInt8]) throws(FuzzFinding) {
  guard let claim = try claim(bytes) else { return }
  for pattern in claim.never {
    for condition in pattern.conditions {
      try demand((0..<6).contains(condition.index), "a condition is on no argument")
      try demand(
        condition.values.allSatisfy { $0 & ~condition.mask == 0 }, "a value is outside its mask")
    }
  }
  let table = SmallTable()
  let space = CallSpace(native: .x8664, table: table)
  let subject = FilterSubject(name: "filter", programs: [SmallTable.filter])
  guard let prover = try? ClaimProver(about: subject, space: space),
    let outcome = try? prover.prove(claim)
  else { return }
  switch outcome {
  case .broken(let witnesses):
    try demand(!witnesses.isEmpty, "a claim is broken by nothing")
    for witness in witnesses {
      try demand(
        subject.action(for: witness.input).permits, "a witness is refused by the filter")
    }
  case .proven:
    for input in samples(of: bytes, table: table) where subject.action(for: input).permits {
      try demand(!matches(input, claim, table), "a claim was proved that a call breaks")
    }
  }
}

private func claim(_ bytes: [UInt8]) throws(FuzzFinding) -> Claim? {
  if bytes.first == UInt8(ascii: "{") {
    do { return try Claim(parsing: bytes, file: "claim.json") } catch {
      try check(error, in: bytes)
      return nil
    }
  }
  do { return try Claim(expression: String(decoding: bytes, as: UTF8.self)) } catch { return nil }
}

private func matches(_ input: SeccompData, _ claim: Claim, _ table: SmallTable) -> Bool {
  guard input.architecture == SeccompArchitecture.x8664.auditValue else { return false }
  return claim.never.contains { pattern in
    pattern.calls.contains { table.number(of: $0, on: .x8664) == input.number }
      && pattern.conditions.allSatisfy { condition in
        let value = input.argument(condition.index) & condition.mask
        return condition.values.contains(value) != condition.isNegated
      }
  }
}
