import SandboxLaunch

/// Starts nothing, and says why.
package struct NoStarter: KeyboardStarting {
  private let problem: String

  package init(problem: String) { self.problem = problem }

  package func start(_ keyboard: String, _ kind: InstanceKind) throws -> SandboxedChild {
    throw KeyboardStarter.Failure(description: problem)
  }

  package func enter(
    _ keyboard: String, _ child: SandboxedChild, _ access: NetworkAccess?
  ) throws -> RunningKeyboardEntry {
    throw KeyboardStarter.Failure(description: problem)
  }

  package func networkAccess(_ keyboard: String) -> NetworkAccess? { nil }

  package func launchEvent(
    _ keyboard: String, _ kind: InstanceKind, _ child: SandboxedChild,
    _ report: EnforcementReport
  ) -> AuditEvent {
    AuditEvent(.launch, keyboard: keyboard)
  }
}
