/// A system-call policy as written: the `linux.seccomp` object of the OCI runtime specification,
/// with the additions of the container tools (`archMap`, `includes`, `excludes`, one `name`).
public struct SeccompPolicy: Sendable, Hashable {
  /// One entry of `syscalls`.
  public struct Rule: Sendable, Hashable {
    /// A call's name and where it stands.
    public struct Name: Sendable, Hashable {
      public var text: String
      public var location: PolicyLocation
    }

    public var names: [Name]
    public var action: SeccompAction
    /// `args`; what a repeated index means is decided by `resolve`.
    public var conditions: [ArgumentCondition]
    public var includes: Selector
    public var excludes: Selector
    public var comment: String?
    public var location: PolicyLocation
  }

  /// `includes` or `excludes`: in which situations a rule counts. Empty parts say nothing.
  public struct Selector: Sendable, Hashable {
    /// Names such as `CAP_SYS_ADMIN`.
    public var capabilities: [String] = []
    /// Go's names of architectures, such as `amd64`.
    public var architectures: [String] = []
    public var minimumKernel: KernelVersion?

    public init() {}
  }

  /// An entry of `archMap`.
  public struct ArchitectureFamily: Sendable, Hashable {
    public var architecture: SeccompArchitecture
    public var subArchitectures: [SeccompArchitecture]
  }

  public var defaultAction: SeccompAction
  /// As listed; nil when the policy has no list (or null), which means the native one alone.
  public var architectures: [SeccompArchitecture]?
  /// As listed; nil when the policy has none.
  public var architectureMap: [ArchitectureFamily]?
  /// `flags`, such as `SECCOMP_FILTER_FLAG_LOG`: for the one who installs the filter.
  public var flags: [String]
  /// Where a runtime would send the listener.
  public var listenerPath: String?
  public var listenerMetadata: String?
  public var rules: [Rule]
  /// What was noticed in reading.
  public var notes: [PolicyNote]
  /// The file's name as it was given.
  public var file: String
}
