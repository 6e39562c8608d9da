import CommandLineInterface
import PolicyAudit

let auditLintCommand = Command(
  "lint", abstract: "Find the mistakes that real policies make, and say how to mend them.",
  discussion: [
    """
    Each finding stands on a line: place, class, what is wrong and what it does; below it a call \
    that shows it, and what to write instead. The exit code is 1 when there is any. The classes: \
    \(LintFinding.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
    """
  ],
  arguments: [Argument("FILTER", "The filter: a file, `keyboard`, or `pid:N`.")],
  options: AuditInput.followingOptions,
  action: lint)

@Sendable private func lint(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
  let input = try AuditInput(invocation)
  let subject = try input.filter(invocation.argument("FILTER"))
  let findings = try PolicyLinter(space: input.space, budget: input.budget).lint(subject)
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.key("findings")
      writer.beginArray()
      for finding in findings {
        writer.beginObject()
        writer.member("kind", finding.kind.rawValue)
        writer.member("place", orNull: finding.location?.description)
        writer.member("message", finding.message)
        writer.member("remedy", orNull: finding.remedy)
        if let witness = finding.witness {
          writer.member("witness", witness)
        } else {
          writer.member("witness", orNull: nil)
        }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    return findings.isEmpty ? .success : .failure
  }
  for finding in findings {
    let place = finding.location?.description ?? subject.name
    try console.print("\(place): \(finding.kind.rawValue): \(finding.message)")
    if let witness = finding.witness { try console.print("  as in: \(witness)") }
    if let remedy = finding.remedy { try console.print("  mend:  \(remedy)") }
  }
  return findings.isEmpty ? .success : .failure
}
