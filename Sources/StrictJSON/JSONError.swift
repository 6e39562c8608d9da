/// Why a text is not accepted, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, in words for a person, without the place.
  public var message: String
  /// Bytes from the start of the text.
  public var offset: Int
  /// Counted from 1; a line ends with a line feed.
  public var line: Int
  /// Counted from 1, in bytes of UTF-8.
  public var column: Int

  public init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  init(_ message: String, at offset: Int, in bytes: [UInt8]) {
    var line = 1
    var lineStart = 0
    for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.init(message: message, offset: offset, line: line, column: offset - lineStart + 1)
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
