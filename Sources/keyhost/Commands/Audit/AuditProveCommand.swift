import CommandLineInterface
import KeyboardHost
import LinuxSystem
import PolicyAudit
import SandboxPolicy
import StrictJSON

let auditProveCommand = Command(
  "prove", abstract: "Prove what a filter never lets through, or show a call that it does.",
  discussion: [
    """
    A claim is a name among those that ship (as `no-network`), the file of one, \
    `no-socket-family=AF_ALG`, or `deny:CALL,arg1=0x5412`. An argument is compared as the kernel \
    reads it: an int by 32 bits, whatever the bits above. Calls put to a supervisor count as \
    refused, and are named.
    """,
    """
    With --run each call shown is made under that very filter, and what the kernel did is told. It \
    is made in a process with namespaces of its own, an empty root and no descriptor, as nobody if \
    you are root, so that nothing of this machine comes to harm. Calls that would reach beyond such \
    a process (keys, sync, clocks, modules and their like), and those that Keyhost does not know, \
    are only put to the kernel's judgement, and not made.
    """,
  ],
  arguments: [Argument("FILTER", "The filter: a file, `keyboard`, or `pid:N`.")],
  options: [
    .value(
      "claim", "CLAIM", isRepeatable: true,
      "What is to be proven; if not given, all that our own policies claim for their grants."),
    .flag("run", "Make the calls that break a claim, and say what the kernel did."),
  ] + AuditInput.followingOptions,
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
  let prover = try ClaimProver(
    about: subject, space: input.space, budget: input.budget)
  let results = try claims.map { ($0, try prover.prove($0)) }
  let isProven = results.allSatisfy {
    if case .proven = $0.1 { true } else { false }
  }
  let runner = invocation.has("run") ? WitnessRunner(subject) : nil
  if invocation.wantsJSON {
    try printJSON(results, subject, runner, console)
    return runner?.isContradicted == true ? .internalError : isProven ? .success : .failure
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
        guard let runner else { continue }
        switch runner.run(witness) {
        case .success(let run):
          try console.print("    run: \(run.description(of: witness.systemCall))")
        case .failure(let error): try console.print("    not run: \(error)")
        }
      }
      if witnesses.count > shownWitnesses {
        try console.print("  and \(witnesses.count - shownWitnesses) more, which --json lists")
      }
    }
  }
  if runner?.isContradicted == true {
    console.printError(
      "The kernel has contradicted this program: what was found about the filter is not to be "
        + "relied on.")
    return .internalError
  }
  return isProven ? .success : .failure
}

/// Runs witnesses under one filter, and remembers whether the kernel ever contradicted.
private final class WitnessRunner {
  private let subject: FilterSubject
  private(set) var isContradicted = false

  init(_ subject: FilterSubject) { self.subject = subject }

  func run(_ witness: Witness) -> Result<WitnessRun, AuditError> {
    do throws(AuditError) {
      let run = try WitnessRun(of: witness, under: subject)
      if run.contradicts(witness.action) { isContradicted = true }
      return .success(run)
    } catch { return .failure(error) }
  }
}

private func printJSON(
  _ results: [(Claim, ClaimProver.Outcome)], _ subject: FilterSubject, _ runner: WitnessRunner?,
  _ console: Console
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
          if let runner { writer.member("run", runner.run(witness), of: witness) }
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

extension JSONWriter {
  fileprivate mutating func member(
    _ key: String, _ run: Result<WitnessRun, AuditError>, of witness: Witness
  ) {
    self.key(key)
    beginObject()
    switch run {
    case .success(let run):
      member("letThrough", run.isLetThrough)
      member("outcome", run.outcome, of: witness)
      member("unfiltered", run.unfiltered, of: witness)
      member("notRun", orNull: run.reasonNotMade)
    case .failure(let error):
      member("letThrough", orNull: nil)
      member("outcome", orNull: nil)
      member("unfiltered", orNull: nil)
      member("notRun", error.description)
    }
    endObject()
  }

  private mutating func member(
    _ key: String, _ outcome: CallTrial.Outcome?, of witness: Witness
  ) {
    guard let outcome else { return member(key, orNull: nil) }
    self.key(key)
    beginObject()
    self.key("value")
    if case .returned(let number) = outcome { value(number) } else { null() }
    if case .failed(let error) = outcome {
      member("errno", error.name)
    } else {
      member("errno", orNull: nil)
    }
    member("message", WitnessRun.text(outcome, witness.systemCall))
    endObject()
  }
}
