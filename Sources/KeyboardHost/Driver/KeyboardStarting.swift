import SandboxLaunch

/// Starts the processes of keyboards. The driver knows neither bundles nor policies.
public protocol KeyboardStarting {
  /// Begins to start a keyboard and returns at once.
  func start(_ keyboard: String) throws -> SandboxedChild
  /// What the network is to a keyboard that was just started; nil without open access.
  func networkAccess(_ keyboard: String) -> NetworkAccess?
  /// The audit line of a launch: what holds the keyboard.
  func launchEvent(
    _ keyboard: String, _ child: SandboxedChild, _ report: EnforcementReport
  ) -> AuditEvent
}
