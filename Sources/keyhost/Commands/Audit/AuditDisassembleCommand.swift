import ClassicBPF
import CommandLineInterface
import PolicyAudit
import SandboxPolicy
import Seccomp

let auditDisassembleCommand = Command(
  "disassemble", abstract: "Print a filter's program, with names, as the kernel runs it.",
  discussion: [
    """
    Numbers are named by the architecture that the path to them has settled. What the kernel would \
    refuse is said on its line, and the exit code is then 1.
    """
  ],
  arguments: [Argument("FILTER", "The filter: a file, `keyboard`, or `pid:N`.")],
  options: AuditInput.options.filter { $0.name != "json" },
  action: disassemble)

@Sendable private func disassemble(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let subject = try AuditInput(invocation, hasBudget: false).filter(invocation.argument("FILTER"))
  console.printNotes(subject)
  var isValid = true
  if subject.programs.isEmpty { console.printError("\(subject.name) is under no filter.") }
  for (index, program) in subject.programs.enumerated() {
    if subject.programs.count > 1 {
      try console.print("; filter \(index + 1) of \(subject.programs.count), the oldest first")
    }
    try console.print(
      program.disassembly(
        callName: { systemCallName($0, auditArchitecture: $1) },
        action: { SeccompAction(returnValue: $0).description }))
    isValid = isValid && program.problems().isEmpty
  }
  return isValid ? .success : .failure
}
