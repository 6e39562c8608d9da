import Glibc

/// Descriptors that somebody sends over a local socket (`SCM_RIGHTS`).
public enum DescriptorPassing {
  /// SO_PASSRIGHTS of the kernel's asm-generic/socket.h, which C libraries do not have yet; the
  /// number is the same on x86, Arm, RISC-V and the other architectures that take that file.
  private static let passRights: Int32 = 83

  /// Makes the kernel refuse descriptors that somebody sends to a local socket, instead of keeping
  /// them for it. Without effect before Linux 6.16, which does not know of it.
  public static func refuse(at descriptor: Int32) throws(Errno) {
    var value: Int32 = 0
    let length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe setsockopt(descriptor, SOL_SOCKET, passRights, &value, length) != 0 else { return }
    if errno != ENOPROTOOPT { throw Errno(rawValue: errno) }
  }

  /// Whether the kernel refuses descriptors for this socket. A connection has what the socket that
  /// listens had when the other program connected.
  public static func isRefused(at descriptor: Int32) -> Bool {
    var value: Int32 = 1
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, passRights, &value, &length) == 0 else {
      return false
    }
    return value == 0
  }
}
