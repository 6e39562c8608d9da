/// Why a property list could not be read.
public struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
  public var message: String
  /// The line in an XML file, from 1; nil for a binary file.
  public var line: Int?

  public init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }

  public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
