/// A moment on the host's clock: nanoseconds since some start that never changes while the host
/// runs. Tests move it by hand.
public struct HostTime: Sendable, Hashable, Comparable {
  public var nanoseconds: UInt64

  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  public static let zero = HostTime(nanoseconds: 0)

  public static func < (one: HostTime, other: HostTime) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  /// The moment `milliseconds` later.
  public func adding(milliseconds: UInt64) -> HostTime {
    HostTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
  }

  /// Milliseconds from `earlier` to this moment, rounded down; 0 if it is not earlier.
  public func milliseconds(since earlier: HostTime) -> UInt64 {
    nanoseconds > earlier.nanoseconds ? (nanoseconds - earlier.nanoseconds) / 1_000_000 : 0
  }
}
