import ClassicBPF
import CommandLineInterface
import KeyboardHost
import LinuxSystem
import PolicyAudit
import SandboxPolicy

let auditInspectCommand = Command(
  "inspect", abstract: "Show what is in force around a running process.",
  discussion: [
    """
    Its filters, the oldest first, each with its digest and the policy of ours that it equals, if \
    any; no-new-privileges, capabilities, namespaces, descriptors and limits; for a keyboard of \
    this user's, what the audit log says of its launch. What may not be seen is said to be so, and \
    never taken for what is not there; the exit code is then 1.
    """,
    """
    Filters can be read as root. What they allow, all of them together, is told by the other \
    commands, for which `pid:N` stands in the place of a file:
    """,
    "  keyhost audit explain pid:1234",
  ],
  arguments: [Argument("PID", "The number of the process, or of a thread.")],
  options: [
    .value("log", "FILE", "The audit log with the launch; this user's own if not given."), .json,
  ],
  action: inspect)

@Sendable private func inspect(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let process = try AuditInput.process(invocation.argument("PID"))
  let inspection = try ProcessInspection(of: process)
  let log =
    try invocation.value("log") ?? HostPaths(environment: HostPaths.processEnvironment()).auditLog
  let report = InspectionReport(inspection, log: log)
  if invocation.wantsJSON {
    try console.printJSON { report.write(to: &$0) }
  } else {
    try report.print(to: console)
  }
  return report.isComplete ? .success : .failure
}

extension AuditInput {
  /// Reads a process's number.
  static func process(_ text: String) throws(UsageError) -> Int32 {
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int32(text), number > 0
    else { throw UsageError("`\(text)` is no number of a process: those go from 1 to 4194304") }
    return number
  }

  /// The shipped profile's programs by the words that stand for them, as far as they can be made.
  static func shippedPolicies() -> [(name: String, subject: FilterSubject)] {
    guard let native = SeccompArchitecture.native else { return [] }
    let situation = PolicySituation(
      architecture: native, kernel: KernelVersion(major: 6, minor: 1))
    return ["keyboard", "keyboard+open-access"].compactMap { name in
      guard let input = try? AuditInput(situation: situation, openAccess: false).filter(name)
      else { return nil }
      return (name, input)
    }
  }
}
