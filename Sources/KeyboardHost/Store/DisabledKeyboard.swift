/// A keyboard that an update took out of the list.
public struct DisabledKeyboard: Sendable, Equatable {
  public var identifier: String
  /// The place it had, from 1.
  public var position: Int
}
