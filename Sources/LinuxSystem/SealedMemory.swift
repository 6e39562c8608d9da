import CLinux
import Glibc

/// Anonymous memory in a descriptor (memfd) that nobody can change any more.
public enum SealedMemory {
  /// F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE, from linux/fcntl.h.
  private static let seals = 0xF
  private static let addSeals: Int32 = 1033
  private static let getSeals: Int32 = 1034

  /// A sealed copy of `bytes`, to be read from its beginning by whoever gets the descriptor.
  public static func create(_ bytes: [UInt8], name: String) throws(Errno) -> FileDescriptor {
    // MFD_CLOEXEC | MFD_ALLOW_SEALING
    let descriptor = FileDescriptor(
      owning: Int32(try Errno.check(unsafe clinux_memfd_create(name, 3))))
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = try descriptor.write(rest)
      rest = rest.dropFirst(written)
    }
    _ = try Errno.check(clinux_fcntl(descriptor.rawValue, addSeals, seals))
    guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    return descriptor
  }

  /// Whether a descriptor is memory with all four seals.
  ///
  /// - Throws: `Errno.invalidArgument` if it is not such memory at all.
  public static func isSealed(_ descriptor: Int32) throws(Errno) -> Bool {
    try Errno.check(clinux_fcntl(descriptor, getSeals, 0)) & seals == seals
  }

  /// The whole contents, wherever the descriptor's position is.
  ///
  /// - Throws: `Errno(27)` (`EFBIG`) above `maximum` bytes.
  public static func contents(
    of descriptor: Int32, maximum: Int
  ) throws(Errno) -> [UInt8] {
    var status = clinux_file_status()
    _ = try Errno.check(unsafe clinux_fstat(descriptor, &status))
    guard status.size <= maximum else { throw Errno(rawValue: EFBIG) }
    var result: [UInt8] = []
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    while result.count < status.size {
      let part = try FileDescriptor.read(from: descriptor, upTo: Int(status.size) - result.count)
      if part.isEmpty { break }
      result += part
    }
    return result
  }
}
