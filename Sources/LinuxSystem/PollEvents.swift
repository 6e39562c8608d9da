import Glibc

/// poll(2)'s events.
public struct PollEvents: OptionSet, Sendable {
  public let rawValue: Int16

  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// `POLLIN`.
  public static let input = PollEvents(rawValue: 0x1)
  /// `POLLOUT`.
  public static let output = PollEvents(rawValue: 0x4)
  /// `POLLERR`; for the write end of a pipe: nobody will read.
  public static let error = PollEvents(rawValue: 0x8)
  /// `POLLHUP`: the other end is gone; what it wrote can still be read.
  public static let hangUp = PollEvents(rawValue: 0x10)
  /// `POLLNVAL`: the descriptor is not open.
  public static let invalid = PollEvents(rawValue: 0x20)
}
