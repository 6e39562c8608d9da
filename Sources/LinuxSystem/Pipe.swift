import CLinux

/// Both ends of a pipe, closed on exec.
@frozen
public struct Pipe: ~Copyable, Sendable {
  public var readEnd: FileDescriptor
  public var writeEnd: FileDescriptor

  /// - Throws: what pipe2(2) says, `EMFILE` above all.
  public init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    _ = try Errno.check(unsafe clinux_pipe(&ends))
    readEnd = FileDescriptor(owning: ends[0])
    writeEnd = FileDescriptor(owning: ends[1])
  }
}
