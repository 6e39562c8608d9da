/// Why an audit could not be carried out. That a claim or an equality does not hold is a result
/// and no error.
public struct AuditError: Error, Sendable, Hashable, CustomStringConvertible {
  public var message: String

  public init(_ message: String) {
    self.message = message
  }

  public var description: String { message }
}
