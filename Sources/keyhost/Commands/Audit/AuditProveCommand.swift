import CommandLineInterface
import KeyboardHost
import PolicyAudit
import SandboxPolicy

let auditProveCommand = Command(
  "prove", abstract: "Prove what a filter never lets through, or show a call that it does.",
  discussion: [
    """
    A claim is a name among those that ship (as `no-network`), the file of one, \
    `no-socket-family=AF_ALG`, or `deny:CALL,arg1=0x5412`. An argument is compared as the kernel \
    reads it: an int by 32 bits, whatever the bits above. Calls put to a supervisor count as \
    refused, and are named.
    """
  ],
  arguments: [Argument("FILTER", "The filter: a file, or `keyboard`.")],
  options: [
    .value(
      "claim", "CLAIM", isRepeatable: true,
      "What is to be proven; if not given, all that our own policies claim for their grants.")
  ] + AuditInput.options,
  action: prove)

/// How many calls are shown to a person for one claim.
private let shownWitnesses = 8

@Sendable private func prove(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let input = try AuditInput(invocation)
  var claims = try invocation.values("claim").map(AuditInput.claim)
  if claims.isEmpty {
    claims = try InstalledResources().claims().filter {
      $0.holds.contains(input.grants.stateName)
    }
  }
  let subject = try input.filter(invocation.argument("FILTER"))
  let prover = try ClaimProver(about: subject, space: input.space)
  let results = try claims.map { ($0, try prover.prove($0)) }
  let isProven = results.allSatisfy {
    if case .proven = $0.1 { true } else { false }
  }
  if invocation.wantsJSON {
    try printJSON(results, subject, console)
    return isProven ? .success : .failure
  }
  console.printNotes(subject)
  for (claim, outcome) in results {
    switch outcome {
    case .proven(let outside):
      let supervised =
        outside.isEmpty
        ? "" : " (as far as the supervisor refuses: \(outside.joined(separator: ", ")))"
      try console.print("proven      \(claim.name): \(claim.title)\(supervised)")
    case .broken(let witnesses):
      try console.print("not proven  \(claim.name): \(claim.title)")
      for witness in witnesses.prefix(shownWitnesses) {
        let requirement = witness.requirement.map { "; \($0)" } ?? ""
        try console.print("  \(witness)\(requirement)")
      }
      if witnesses.count > shownWitnesses {
        try console.print("  and \(witnesses.count - shownWitnesses) more, which --json lists")
      }
    }
  }
  return isProven ? .success : .failure
}

private func printJSON(
  _ results: [(Claim, ClaimProver.Outcome)], _ subject: FilterSubject, _ console: Console
) throws {
  try console.printJSON { writer in
    writer.beginObject()
    writer.key("claims")
    writer.beginArray()
    for (claim, outcome) in results {
      writer.beginObject()
      writer.member("name", claim.name)
      writer.member("title", claim.title)
      switch outcome {
      case .proven(let outside):
        writer.member("proven", true)
        writer.member("decidedOutside", strings: outside)
      case .broken(let witnesses):
        writer.member("proven", false)
        writer.key("witnesses")
        writer.beginArray()
        for witness in witnesses {
          writer.beginObject()
          writer.member("call", witness)
          writer.endObject()
        }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.member("notes", subject.notes)
    writer.endObject()
  }
}
