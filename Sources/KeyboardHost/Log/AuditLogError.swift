/// An audit line could not be written. Whatever it was to record must not happen.
public struct AuditLogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What failed, on which file, and why.
  public var message: String

  public init(_ message: String) { self.message = message }

  public var description: String { "audit log: \(message)" }
}
