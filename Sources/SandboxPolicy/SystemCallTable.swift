/// The names and numbers of system calls, as some library or kernel version knows them.
public protocol SystemCallTable: Sendable {
  /// The number a call has on an architecture; nil when the table does not know it there. For x32
  /// the number includes `SeccompArchitecture.x32Bit`.
  func number(of name: String, on architecture: SeccompArchitecture) -> UInt32?
  /// The name of a number on an architecture.
  func name(of number: UInt32, on architecture: SeccompArchitecture) -> String?
  /// Whether any architecture has a call of this name.
  func isKnown(_ name: String) -> Bool
  /// Every name the table knows on an architecture, for finding near ones.
  func names(on architecture: SeccompArchitecture) -> [String]
}
