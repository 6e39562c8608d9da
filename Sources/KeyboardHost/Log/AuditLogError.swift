/// An audit line could not be written. Whatever it was to record must not happen.
public struct AuditLogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What failed, on which file, and why.
  public var message: String

  /// Whether it was for want of room on the disk.
  public var isFull: Bool

  public init(_ message: String, isFull: Bool = false) {
    self.message = message
    self.isFull = isFull
  }

  public var description: String { "audit log: \(message)" }
}
