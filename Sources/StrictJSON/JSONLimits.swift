/// The bounds a text is read within. They hold for everything in it, also for what the reader
/// of the message ignores.
public struct JSONLimits: Sendable, Equatable {
  /// The longest text, in bytes.
  public var maximumBytes: Int
  /// How many arrays and objects may stand inside one another.
  public var maximumDepth: Int

  public init(maximumBytes: Int, maximumDepth: Int) {
    // Offsets are kept in 32 bits, and the reader calls itself once a level.
    self.maximumBytes = min(maximumBytes, Int(Int32.max) - 1)
    self.maximumDepth = min(maximumDepth, 128)
  }

  /// One line of the plugin or client protocol: 64 KiB, 32 levels.
  public static let protocolLine = JSONLimits(maximumBytes: 65_536, maximumDepth: 32)
  /// A policy, a profile or a settings file: 4 MiB, 64 levels.
  public static let document = JSONLimits(maximumBytes: 4 << 20, maximumDepth: 64)
}
