import CLinux

/// Several descriptors behind one (epoll): it is readable when any member is.
public struct EventSet: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init() throws(Errno) {
    descriptor = FileDescriptor(owning: Int32(try Errno.check(clinux_epoll_create())))
  }

  /// The number to poll.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Adds a descriptor, watched for input.
  public borrowing func add(_ member: Int32) throws(Errno) {
    _ = try Errno.check(clinux_epoll_add(descriptor.rawValue, member))
  }

  /// Takes it out again; one that is not in it is no error.
  public borrowing func remove(_ member: Int32) {
    _ = clinux_epoll_remove(descriptor.rawValue, member)
  }
}
