/// A place in a policy file.
public struct PolicyLocation: Sendable, Hashable, CustomStringConvertible {
  /// The file's name as it was given.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in UTF-8 bytes.
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`, as editors take it.
  public var description: String { "\(file):\(line):\(column)" }
}
