import ErrorNames

/// The standard output could not be written to, as on a full disk.
public struct OutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kernel's error number.
  public var code: Int32

  public init(code: Int32) { self.code = code }

  public var description: String {
    "cannot write to the standard output: \(ErrorNames.meaning(code))"
  }
}
