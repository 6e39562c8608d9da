/// Everything the sandbox of one keyboard enforces, for one state of its grants.
public struct ResolvedProfile: Sendable, Hashable {
  public var grants: SandboxGrants
  public var systemCalls: ResolvedSeccompPolicy
  public var files: [FileRule]
  public var limits: SandboxLimits
  public var environment: EnvironmentRule
}
