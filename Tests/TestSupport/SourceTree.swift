import Glibc

/// The project's own files, for tests that read them: policies, documentation, templates.
public enum SourceTree {
  /// The root of the source tree. A run as another user, who may not reach the clone, names a copy
  /// in `KEYHOST_TEST_SOURCE`.
  public static let root: String =
    getenv("KEYHOST_TEST_SOURCE").map { String(cString: $0) }
    ?? #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  /// A file's whole content.
  public static func contents(of relativePath: String) throws -> String {
    String(decoding: try Files.read("\(root)/\(relativePath)"), as: UTF8.self)
  }
}
