/// What a peer of the protocol did wrong. A session does not go on after one.
public struct ProtocolError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, with the member it is wrong in.
  public var message: String
  /// The first bad bytes, at most 64 characters, with everything but printable ASCII escaped.
  public var excerpt: String

  /// Makes an error.
  public init(message: String, excerpt: String = "") {
    self.message = message
    self.excerpt = excerpt
  }

  /// The message and the excerpt.
  public var description: String {
    excerpt.isEmpty ? message : "\(message): \"\(excerpt)\""
  }
}
