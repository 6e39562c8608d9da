import CommandLineInterface
import PolicyAudit

let auditDiffCommand = Command(
  "diff", abstract: "Say what changes from one filter to another, by meaning.",
  discussion: [
    """
    What is newly allowed, newly denied, and refused in another way, with conditions and a call \
    that shows it. Nothing is printed, and the exit code is 0, exactly when the two filters answer \
    every call alike. `keyboard` and `keyboard+open-access` are the shipped profile's two states, \
    and `pid:N` is what a running process is under: the two filters may be of any kind.
    """
  ],
  arguments: [Argument("OLD", "The old filter."), Argument("NEW", "The new filter.")],
  options: AuditInput.followingOptions,
  action: diff)

@Sendable private func diff(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
  let input = try AuditInput(invocation)
  let old = try input.filter(invocation.argument("OLD"))
  let new = try input.filter(invocation.argument("NEW"))
  let difference = try FilterDifference(
    from: old, to: new, space: input.space, budget: input.budget)
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("same", difference.isEmpty)
      writer.key("changes")
      writer.beginArray()
      for change in difference.changes {
        writer.beginObject()
        writer.member("kind", change.kind.rawValue)
        writer.member("architecture", orNull: change.architecture.map(CallSpace.shortName))
        writer.member("systemCall", orNull: change.systemCall)
        writer.member("before", change.before.description)
        writer.member("after", change.after.description)
        writer.member("conditions", strings: change.conditions)
        writer.member("witness", change.witness)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    return difference.isEmpty ? .success : .failure
  }
  console.printNotes(old)
  console.printNotes(new)
  for kind in FilterDifference.Kind.allCases {
    let changes = difference.changes.filter { $0.kind == kind }
    if changes.isEmpty { continue }
    switch kind {
    case .newlyAllowed: try console.print("newly allowed")
    case .newlyDenied: try console.print("newly denied")
    case .changed: try console.print("changed")
    }
    for change in changes {
      let place = change.architecture.map(CallSpace.shortName) ?? "other architectures"
      let name = change.systemCall ?? "numbers without a name"
      try console.print("  \(place) \(name): \(change.before) -> \(change.after)")
      for condition in change.conditions { try console.print("    if \(condition)") }
      if change.conditions.isEmpty { try console.print("    as in \(change.witness)") }
    }
  }
  return difference.isEmpty ? .success : .failure
}
