import StrictJSON

/// The bounds of the protocol between apps and the host. A message beyond one of them is an error.
public enum AppProtocolLimits {
  /// The version that this library speaks.
  public static let version = 1
  /// The longest line of an app, in bytes, without its line feed.
  public static let appLineBytes = 65_536
  /// The longest line of the host, in bytes, without its line feed.
  public static let hostLineBytes = 262_144
  /// The longest name of a document or an app, in bytes.
  public static let nameBytes = 128
  /// The most text that one message of the host holds, in bytes; a longer change comes in several.
  public static let chunkBytes = 32_768
  /// The furthest offset in a text, in Unicode scalars: no text is longer.
  public static let offset: Int64 = 1 << 20
  /// The widest and the highest screen, in points.
  public static let screenExtent: Int64 = 100_000
  /// The most documents that one app may have open.
  public static let documents = 256
  /// The most text that the documents of one app may hold together, in bytes.
  public static let textBytes = 8 << 20
  /// The most keyboards in the answer to `listKeyboards`; more are left out.
  public static let keyboards = 64
  /// The longest name of a keyboard or description of a reason in a message, in bytes.
  public static let shownBytes = 256

  static let hostLine = JSONLimits(maximumBytes: hostLineBytes, maximumDepth: 32)
}
