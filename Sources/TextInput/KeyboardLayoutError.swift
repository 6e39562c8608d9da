/// Why a layout cannot be shown.
public struct KeyboardLayoutError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  public var message: String

  /// Makes an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
