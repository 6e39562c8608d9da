/// Why a policy cannot be used.
public struct PolicyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, and what to do, for a person.
  public var message: String
  /// Where, when it has a place.
  public var location: PolicyLocation?

  public init(_ message: String, at location: PolicyLocation? = nil) {
    self.message = message
    self.location = location
  }

  /// The message with its place in front.
  public var description: String {
    if let location { "\(location): \(message)" } else { message }
  }
}
