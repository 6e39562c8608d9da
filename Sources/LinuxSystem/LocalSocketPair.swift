import Glibc

/// Two local stream sockets that are connected with each other (`socketpair(2)`), blocking, closed on exec.
///
/// Between programs that do not trust each other this is better than a pipe. Whoever writes into a pipe
/// holds its lock while the kernel copies from his memory, for which he can make it wait; who reads at the
/// other end waits for that lock, non-blocking or not. Two sockets share no such lock.
@frozen
public struct LocalSocketPair: ~Copyable, Sendable {
  public var first: FileDescriptor
  public var second: FileDescriptor

  /// - Parameter minimum: neither has a lower number.
  /// - Throws: what socketpair(2) says, `EMFILE` above all.
  public init(minimum: Int32 = 0) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    let one = FileDescriptor(owning: ends[0])
    let other = FileDescriptor(owning: ends[1])
    let first = try one.lifted(to: minimum)
    let second = try other.lifted(to: minimum)
    self.first = first
    self.second = second
  }

  /// Lets go of the second, and leaves the first to the caller.
  public consuming func closeSecond() -> FileDescriptor { first }

  /// Nothing can be written to the second from now on (`SHUT_WR`).
  public borrowing func endSecondsWriting() throws(Errno) {
    guard shutdown(second.rawValue, Int32(SHUT_WR)) == 0 else { throw Errno(rawValue: errno) }
  }

  /// How much that was written to the second may wait to be read, in bytes. The kernel takes twice as much
  /// for its own bookkeeping, of which each write costs some 600.
  public borrowing func limitSecondsWriting(to bytes: Int32) throws(Errno) {
    var bytes = bytes
    let length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe setsockopt(second.rawValue, SOL_SOCKET, SO_SNDBUF, &bytes, length) == 0 else {
      throw Errno(rawValue: errno)
    }
  }
}
