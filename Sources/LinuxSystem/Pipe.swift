import CLinux

/// Both ends of a pipe, closed on exec.
@frozen
public struct Pipe: ~Copyable, Sendable {
  public var readEnd: FileDescriptor
  public var writeEnd: FileDescriptor

  /// - Parameter minimum: neither end has a lower number.
  /// - Throws: what pipe2(2) says, `EMFILE` above all.
  public init(minimum: Int32 = 0) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    _ = try Errno.check(unsafe clinux_pipe(&ends))
    let first = FileDescriptor(owning: ends[0])
    let second = FileDescriptor(owning: ends[1])
    let readEnd = try first.lifted(to: minimum)
    let writeEnd = try second.lifted(to: minimum)
    self.readEnd = readEnd
    self.writeEnd = writeEnd
  }

  /// Closes the read end, and leaves the write end to the caller.
  public consuming func closeReadEnd() -> FileDescriptor { writeEnd }

  /// Closes the write end, and leaves the read end to the caller.
  public consuming func closeWriteEnd() -> FileDescriptor { readEnd }
}
