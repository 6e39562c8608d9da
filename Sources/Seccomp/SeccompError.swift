import ErrorNames

/// Why a policy does not compile, or a notification cannot be handled.
public struct SeccompError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What failed and on what, for a person.
  public var message: String
  /// The call it is about, where it is about one.
  public var systemCall: String?
  /// The error number of the kernel or of libseccomp, where there is one.
  public var errorNumber: Int32?

  public init(_ message: String, systemCall: String? = nil, errorNumber: Int32? = nil) {
    self.message = message
    self.systemCall = systemCall
    self.errorNumber = errorNumber
  }

  /// The message, with the error number's name where it has one.
  public var description: String {
    guard let errorNumber else { return message }
    return "\(message): \(ErrorNames.description(errorNumber))"
  }
}
