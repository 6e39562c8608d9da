import CommandLineInterface
import KeyboardHost
import KeyboardReport
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import TerminalText

let auditPluginsCommand = Command(
  "plugins", abstract: "Report what each keyboard may do, proven, and what it did.",
  discussion: [
    """
    What a keyboard may do is proven of the very programs that the host would put around it, for \
    each state of its grants, together with the layers of a trial launch as `keyhost doctor` makes \
    it. What it did comes from the audit log.
    """,
    """
    The exit code is 1 if a claim is not proven, a promise is not kept here, an app cannot be used \
    or the log is damaged; the report is made all the same. What a keyboard tried and was refused \
    is no fault.
    """,
  ],
  arguments: [
    Argument(
      "KEYBOARD", isOptional: true, "Only this keyboard, by its id, installed or known to the log.")
  ],
  options: [
    .value("html", "FILE", "Write the report to FILE, as one page that needs nothing else."),
    .flag("replace", "Replace FILE if it is there; a link is never followed or replaced."),
    .json,
  ],
  action: report)

@Sendable private func report(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  guard invocation.has("html") || !invocation.has("replace") else {
    throw UsageError("`--replace` is about the file of `--html`, which is not given")
  }
  let paths = try HostPaths(environment: HostPaths.processEnvironment())
  let resources = try InstalledResources()
  let profile = try resources.profile()
  let report = try KeyboardReport(
    on: paths, keyboard: invocation.optionalArgument("KEYBOARD"), profile: profile,
    claims: try resources.claims(), trial: try trial(profile, resources),
    kernel: KernelSettings.release)
  if let path = invocation.value("html") {
    try ReportFile(path: path).write(report.html(), isReplacing: invocation.has("replace"))
    if !invocation.wantsJSON {
      try console.print("The report is in \(VisibleText.escape(path)).")
      for finding in report.findings { console.printError("keyhost: \(finding)") }
    }
  }
  if invocation.wantsJSON {
    try console.printJSON { report.encode(into: &$0) }
  } else if !invocation.has("html") {
    try report.print(to: console)
  }
  return report.findings.isEmpty ? .success : .failure
}

/// What a keyboard would get here, as `keyhost doctor` finds it. A launcher that is not there or not
/// to be trusted is a finding, and no reason to make no report.
private func trial(
  _ profile: SandboxProfile, _ resources: InstalledResources
) throws -> SandboxTrial {
  let prepared = try PreparedPolicy(profile, grants: SandboxGrants())
  let launcher: String
  do { launcher = try resources.trustedLauncher() } catch {
    return SandboxTrial(report: nil, problem: error.message)
  }
  let doctor = SandboxDoctor(
    profile: prepared.profile, program: prepared.program, launcher: launcher,
    identity: ProcessControl.user == 0 ? KeyboardIdentity.range.upperBound : nil)
  return SandboxTrial(report: doctor.report, problem: doctor.problem)
}
