import Glibc

/// One descriptor in a poll(2), and what was found.
public struct PollEntry: Sendable, Equatable {
  public var descriptor: Int32
  /// What to wait for; hang-ups and errors are always told.
  public var requested: PollEvents
  /// What the last `poll` found.
  public var returned: PollEvents = []

  /// A negative descriptor is skipped.
  public init(_ descriptor: Int32, _ requested: PollEvents) {
    self.descriptor = descriptor
    self.requested = requested
  }
}
