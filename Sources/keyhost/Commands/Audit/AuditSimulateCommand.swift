import ClassicBPF
import CommandLineInterface
import PolicyAudit
import SandboxPolicy
import Seccomp

let auditSimulateCommand = Command(
  "simulate", abstract: "Say what a filter answers to one call with given arguments.",
  discussion: ["  keyhost audit simulate keyboard socket 2 1 0"],
  arguments: [
    Argument("FILTER", "The filter: a file, `keyboard`, or `pid:N`."),
    Argument("CALL", "The call's name, or its number."),
    Argument(
      "VALUE", isOptional: true, isRepeated: true,
      "The arguments, decimal or hexadecimal with 0x; 0 where left out."),
  ],
  options: [
    .value(
      "arch", "NAME", choices: ["x86_64", "i386", "x32", "aarch64"],
      "The architecture the call is made by; this machine's if not given.")
  ] + AuditInput.options,
  action: simulate)

@Sendable private func simulate(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let input = try AuditInput(invocation, hasBudget: false)
  let subject = try input.filter(invocation.argument("FILTER"))
  for program in subject.programs { try program.validate() }
  let name = invocation.value("arch")
  let architecture =
    SeccompArchitecture.allCases.first { CallSpace.shortName($0) == name }
    ?? input.situation.architecture
  let call = invocation.argument("CALL")
  guard
    let number = parse(call).flatMap(UInt32.init(exactly:))
      ?? LibseccompTable().number(of: call, on: architecture)
  else {
    throw UsageError("no call of \(CallSpace.shortName(architecture)) is named `\(call)`")
  }
  let values = invocation.arguments("VALUE")
  guard values.count <= 6 else { throw UsageError("a call has at most six arguments") }
  let arguments = try values.map { text in
    guard let value = parse(text) else {
      throw UsageError("`\(text)` is no number from 0 to 2^64-1")
    }
    return value
  }
  let data = SeccompData(
    number: number, architecture: architecture.auditValue, arguments: arguments)
  let witness = input.witness(data, subject.action(for: data))
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("call", witness)
      writer.endObject()
    }
  } else {
    try console.print(witness.description)
  }
  return .success
}

private func parse(_ text: String) -> UInt64? {
  if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16) }
  return text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? UInt64(text) : nil
}
