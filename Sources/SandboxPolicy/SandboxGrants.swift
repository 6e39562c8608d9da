/// What the user granted to a keyboard, as far as the sandbox is concerned. A grant only ever adds.
public struct SandboxGrants: Sendable, Hashable {
  /// Outgoing TCP through the host's broker, and a writable shared container.
  public var openAccess: Bool

  public init(openAccess: Bool = false) {
    self.openAccess = openAccess
  }

  /// Every state there is, from the least to the most.
  public static let allStates = [SandboxGrants(), SandboxGrants(openAccess: true)]

  /// The state's name where a claim says for which states it holds: `base` or `openAccess`.
  public var stateName: String { openAccess ? "openAccess" : "base" }
}
