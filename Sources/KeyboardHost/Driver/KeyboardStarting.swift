import SandboxLaunch

/// Starts the processes of keyboards. The driver knows neither bundles nor policies.
public protocol KeyboardStarting {
  /// Begins to start a keyboard and returns at once.
  func start(_ keyboard: String, _ kind: InstanceKind) throws -> SandboxedChild
  /// What the network is to a keyboard that was just started; nil without open access. It is not asked
  /// for an incognito instance, which has none.
  func networkAccess(_ keyboard: String) -> NetworkAccess?
  /// Leaves word of a keyboard that is about to run, for those who take its rights away.
  /// - Throws: when it cannot be left; then the keyboard may not run.
  func enter(
    _ keyboard: String, _ child: SandboxedChild, _ access: NetworkAccess?
  ) throws -> RunningKeyboardEntry
  /// The audit line of a launch: what holds the keyboard.
  func launchEvent(
    _ keyboard: String, _ kind: InstanceKind, _ child: SandboxedChild,
    _ report: EnforcementReport
  ) -> AuditEvent
}
