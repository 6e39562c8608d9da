/// What the user granted to a keyboard, as far as the sandbox is concerned. A grant only ever adds.
public struct SandboxGrants: Sendable, Hashable {
  /// Outgoing TCP through the host's broker, and a writable shared container.
  public var openAccess: Bool

  public init(openAccess: Bool = false) {
    self.openAccess = openAccess
  }
}
