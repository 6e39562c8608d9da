/// Something a reader of a policy should know that does not make it unusable.
public struct PolicyNote: Sendable, Hashable, CustomStringConvertible {
  /// How much it matters.
  public enum Severity: String, Sendable, Hashable {
    /// How something that could be read two ways was read.
    case note
    /// The policy probably does not do what its author meant.
    case warning
  }

  public var severity: Severity
  public var message: String
  public var location: PolicyLocation

  public init(_ severity: Severity, _ message: String, at location: PolicyLocation) {
    self.severity = severity
    self.message = message
    self.location = location
  }

  /// `file:line:column: warning: message`.
  public var description: String { "\(location): \(severity.rawValue): \(message)" }
}
