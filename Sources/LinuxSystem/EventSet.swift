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

  /// Adds a descriptor, or changes for what one is watched. Hang-ups and errors are always told.
  ///
  /// A descriptor that is closed while others name the same open file is still told of: it has to be
  /// taken out first.
  /// - Throws: ``Errno/notPermitted`` for a file that is always ready, which epoll does not take.
  public borrowing func set(_ member: Int32, for events: PollEvents) throws(Errno) {
    _ = try Errno.check(
      clinux_epoll_set(descriptor.rawValue, member, UInt32(UInt16(bitPattern: events.rawValue))))
  }

  /// The most members that one wait tells of; more come with the next.
  private static let most = 512

  /// Waits until a member is ready, for at most `milliseconds` (negative: without end), and adds those
  /// that are to `ready`: none after the time, or after a signal.
  public borrowing func wait(
    addingTo ready: inout [PollEntry], milliseconds: Int32
  ) throws(Errno) {
    let set = descriptor.rawValue
    let found = unsafe withUnsafeTemporaryAllocation(of: clinux_ready.self, capacity: Self.most) {
      buffer in
      let count = unsafe clinux_epoll_wait(
        set, buffer.baseAddress!, Int32(buffer.count), milliseconds)
      for index in 0..<max(0, Int(count)) {
        let member = unsafe buffer[index]
        var entry = PollEntry(member.descriptor, [])
        entry.returned = PollEvents(rawValue: Int16(truncatingIfNeeded: member.events))
        ready.append(entry)
      }
      return count
    }
    _ = try Errno.check(found)
  }

  /// Takes it out again; one that is not in it is no error.
  public borrowing func remove(_ member: Int32) {
    _ = clinux_epoll_remove(descriptor.rawValue, member)
  }
}
