import SandboxLaunch

/// What a launch on this machine came to, layer by layer.
public struct SandboxTrial: Sendable {
  /// Nil when nothing was started.
  public let report: EnforcementReport?
  /// Why no keyboard would be started here; nil if one would.
  public let problem: String?

  public init(report: EnforcementReport?, problem: String?) {
    self.report = report
    self.problem = problem
  }
}
