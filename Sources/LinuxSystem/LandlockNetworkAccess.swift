import CLinux

/// LANDLOCK_ACCESS_NET_* (ABI 4).
public struct LandlockNetworkAccess: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let bindTCP = LandlockNetworkAccess(rawValue: 1 << 0)
  public static let connectTCP = LandlockNetworkAccess(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can restrict.
  public static func handled(abi: Int) -> LandlockNetworkAccess {
    abi >= 4 ? [.bindTCP, .connectTCP] : []
  }
}
