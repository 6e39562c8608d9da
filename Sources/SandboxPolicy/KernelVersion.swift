/// A kernel's version as far as `minKernel` conditions go: major and minor.
public struct KernelVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads `4.8`, and the beginning of `6.1.0-13-amd64` as `uname -r` prints it.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let major = Self.number(parts[0]) else { return nil }
    let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
    guard let minor = Self.number(digits) else { return nil }
    self.init(major: major, minor: minor)
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(text)
  }

  public static func < (left: KernelVersion, right: KernelVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  public var description: String { "\(major).\(minor)" }
}
