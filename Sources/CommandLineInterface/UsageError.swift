/// A command line that is wrong. Commands throw it too, for values they do not understand.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, as a sentence without a full stop.
  public var message: String
  /// The names of the command at fault, from the top, for the pointer to its help.
  public var path: [String]

  public init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }

  public var description: String { message }
}
