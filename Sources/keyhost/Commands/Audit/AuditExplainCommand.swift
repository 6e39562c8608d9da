import CommandLineInterface
import PolicyAudit
import SandboxPolicy

let auditExplainCommand = Command(
  "explain",
  abstract: "Say what a filter answers to each call, or to one, and for which arguments.",
  discussion: [
    """
    For each architecture the effective answer and the conditions for it, and the rules it comes \
    from with their places. Without a call, calls with the same answer stand together.
    """
  ],
  arguments: [
    Argument("FILTER", "The filter: a file, `keyboard`, or `pid:N`."),
    Argument("CALL", isOptional: true, "The name of a system call."),
  ],
  options: AuditInput.followingOptions,
  action: explain)

@Sendable private func explain(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let input = try AuditInput(invocation)
  let subject = try input.filter(invocation.argument("FILTER"))
  let call = invocation.optionalArgument("CALL")
  let explanation = try Explanation(
    of: subject, space: input.space, call: call, budget: input.budget)
  if invocation.wantsJSON {
    try printJSON(explanation, subject, console)
    return .success
  }
  console.printNotes(subject)
  if call != nil {
    for call in explanation.calls { try print(call, console) }
    return .success
  }
  for architecture in input.space.architectures {
    try console.print(CallSpace.shortName(architecture))
    let calls = explanation.calls.filter { $0.architecture == architecture }
    var groups: [(answer: String, names: [String])] = []
    for call in calls {
      let answer = call.rows.map(\.action.description).joined(separator: " or ")
      if let index = groups.firstIndex(where: { $0.answer == answer }) {
        groups[index].names.append(call.name)
      } else {
        groups.append((answer, [call.name]))
      }
    }
    for group in groups {
      try console.print("  \(group.answer): \(group.names.joined(separator: " "))")
    }
    let unknown = explanation.unknownCalls.first { $0.architecture == architecture }
    let actions = unknown?.actions.map(\.description).joined(separator: " or ") ?? ""
    try console.print("  \(actions): numbers without a name")
  }
  let foreign = explanation.foreignArchitectures.map(\.description).joined(separator: " or ")
  try console.print("other architectures\n  \(foreign): every call")
  return .success
}

private func print(_ call: Explanation.Call, _ console: Console) throws {
  try console.print(
    "\(CallSpace.shortName(call.architecture)) \(call.name) (number 0x"
      + "\(String(call.number, radix: 16)))")
  for row in call.rows {
    if row.conditions.isEmpty {
      try console.print("  \(row.action) \(call.rows.count == 1 ? "always" : "otherwise")")
    }
    for condition in row.conditions { try console.print("  \(row.action) if \(condition)") }
  }
  for source in call.sources { try console.print("  from \(source)") }
}

private func printJSON(
  _ explanation: Explanation, _ subject: FilterSubject, _ console: Console
) throws {
  try console.printJSON { writer in
    writer.beginObject()
    writer.key("calls")
    writer.beginArray()
    for call in explanation.calls {
      writer.beginObject()
      writer.member("architecture", CallSpace.shortName(call.architecture))
      writer.member("number", call.number)
      writer.member("name", call.name)
      writer.key("answers")
      writer.beginArray()
      for row in call.rows {
        writer.beginObject()
        writer.member("answer", row.action.description)
        writer.member("conditions", strings: row.conditions)
        writer.endObject()
      }
      writer.endArray()
      writer.member("sources", strings: call.sources)
      writer.endObject()
    }
    writer.endArray()
    writer.key("unknownCalls")
    writer.beginObject()
    for entry in explanation.unknownCalls {
      writer.member(
        CallSpace.shortName(entry.architecture), strings: entry.actions.map(\.description))
    }
    writer.endObject()
    writer.member(
      "otherArchitectures", strings: explanation.foreignArchitectures.map(\.description))
    writer.member("notes", subject.notes)
    writer.endObject()
  }
}
