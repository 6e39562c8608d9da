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

/// Waits for any of `entries`, for at most `milliseconds` (negative: without end).
///
/// - Returns: how many have something to tell; 0 after the time, or after a signal.
public func poll(_ entries: inout [PollEntry], milliseconds: Int32) throws(Errno) -> Int {
  var descriptors = entries.map {
    pollfd(fd: $0.descriptor, events: $0.requested.rawValue, revents: 0)
  }
  let found = unsafe Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  if found < 0 {
    if errno == EINTR { return 0 }
    throw Errno(rawValue: errno)
  }
  for index in entries.indices {
    entries[index].returned = PollEvents(rawValue: descriptors[index].revents)
  }
  return Int(found)
}
