/// One running process of a keyboard. Never used twice, so that a message that arrives after
/// its process ended can be told from one of its successor.
public struct InstanceID: Sendable, Hashable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
