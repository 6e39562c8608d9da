import Glibc

/// The built programs under test.
public enum Products {
  /// The prefix the release build was installed under, if it was: `make test` does.
  public static let prefix = environment("KEYHOST_TEST_PREFIX")
  /// The prefix the debug build was installed under.
  public static let debugPrefix = environment("KEYHOST_TEST_DEBUG_PREFIX")
  /// The folder of assembled example bundles.
  public static let bundles = environment("KEYHOST_TEST_DIST") ?? "\(SourceTree.root)/dist"

  /// `keyhost`: the installed one, or else the one built beside the tests.
  public static let keyhost =
    prefix.map { "\($0)/bin/keyhost" } ?? "\(buildFolder)/keyhost"
  /// `keyhost-launcher`, likewise.
  public static let launcher =
    prefix.map { "\($0)/libexec/keyhost/keyhost-launcher" } ?? "\(buildFolder)/keyhost-launcher"

  /// Where the running test bundle lies.
  public static let buildFolder: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!, $0.count)
    }
    let path = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
  }()

  /// Whether the tests run as root.
  public static var isRoot: Bool { geteuid() == 0 }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
