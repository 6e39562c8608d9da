import ClassicBPF
import CommandLineInterface
import PolicyAudit
import SandboxPolicy
import Seccomp

let auditValidateCommand = Command(
  "validate", abstract: "Prove that a compiled policy means what its rules say.",
  discussion: [
    """
    Compiles the policy and compares the program with the rules for every architecture, number \
    and argument. The first word is `equal` or `different`; a difference comes with a call that \
    shows it. libseccomp compiles equalities and masks rightly, and some mixtures of ranges not.
    """
  ],
  arguments: [Argument("POLICY", "The policy: a file, or `keyboard`.")],
  options: AuditInput.followingOptions,
  action: validate)

@Sendable private func validate(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let input = try AuditInput(invocation)
  let subject = try input.filter(invocation.argument("POLICY"))
  guard let policy = subject.policy, let program = subject.programs.first else {
    throw UsageError("\(subject.name) is a program: there are no rules to compare it with")
  }
  let outcome = try PolicyValidator(budget: input.budget).validate(
    program, against: policy, table: LibseccompTable())
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("equal", outcome == .equal)
      writer.member("instructions", program.instructions.count)
      writer.member("digest", program.digest)
      if case .different(let example) = outcome {
        writer.member("program", input.witness(example.input, example.program))
        writer.member("policy", example.policy.description)
      }
      writer.member("notes", subject.notes)
      writer.endObject()
    }
    return outcome == .equal ? .success : .failure
  }
  console.printNotes(subject)
  switch outcome {
  case .equal:
    try console.print(
      "equal: \(program.instructions.count) instructions, SHA-256 \(program.digest)")
    return .success
  case .different(let example):
    try console.print("different")
    try console.print("  program: \(input.witness(example.input, example.program))")
    try console.print("  policy:  \(example.policy)")
    return .failure
  }
}

extension AuditInput {
  func witness(_ input: SeccompData, _ action: SeccompAction) -> Witness {
    Witness(input, action: action, space: space)
  }
}
