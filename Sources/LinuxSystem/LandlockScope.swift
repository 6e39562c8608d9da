import CLinux

/// LANDLOCK_SCOPE_* (ABI 6): what reaches only processes of the same domain.
public struct LandlockScope: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let abstractUnixSocket = LandlockScope(rawValue: 1 << 0)
  public static let signal = LandlockScope(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can restrict.
  public static func handled(abi: Int) -> LandlockScope {
    abi >= 6 ? [.abstractUnixSocket, .signal] : []
  }
}
