import LinuxSystem

/// Both ends of a pair of sockets.
@frozen
public struct SocketPair: ~Copyable, Sendable {
  public var first: FileDescriptor
  public var second: FileDescriptor

  /// Closes the second end, and leaves the first to the caller.
  public consuming func closeSecond() -> FileDescriptor { first }
}
