import ErrorNames
import Glibc

/// A file operation the kernel refused: what was tried, on which path, and why.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was tried, as the middle of a sentence: "open", "rename".
  package let operation: String
  /// The path as far as it is known.
  package let path: String
  /// The kernel's error number.
  package let code: Int32

  package init(_ operation: String, _ path: String, _ code: Int32 = errno) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Whether there was no room: the file system is full, or the user's share of it.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The error number in words.
  package var reason: String { ErrorNames.meaning(code) }

  package var description: String { "cannot \(operation) \(path): \(reason)" }
}
