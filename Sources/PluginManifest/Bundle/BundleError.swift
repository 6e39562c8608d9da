import TerminalText

/// Why a bundle is refused: the file at fault, inside the bundle where it is one, and what is
/// wrong with it. What comes from the bundle itself is quoted with its control characters escaped.
public struct BundleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file at fault: a path relative to the bundle, the bundle's own path, or
  /// empty for the bundle's top folder.
  public var file: String
  /// What is wrong, and what to do about it where that is not plain.
  public var message: String

  public init(file: String, message: String) {
    self.file = file
    self.message = message
  }

  public var description: String {
    file.isEmpty ? message : "\(VisibleText.escape(file)): \(message)"
  }
}
