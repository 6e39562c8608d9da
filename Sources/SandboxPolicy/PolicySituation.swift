/// Where and for whom a policy is resolved: what `includes`, `excludes` and `archMap` ask about.
public struct PolicySituation: Sendable, Hashable {
  /// Names of the capabilities the process will hold, such as `CAP_SYS_ADMIN`.
  public var capabilities: Set<String>
  public var architecture: SeccompArchitecture
  public var kernel: KernelVersion

  public init(
    architecture: SeccompArchitecture, kernel: KernelVersion, capabilities: Set<String> = []
  ) {
    self.architecture = architecture
    self.kernel = kernel
    self.capabilities = capabilities
  }
}
