import CLinux
import Glibc

/// Stream sockets between the programs of one machine (`unix(7)`).
public enum LocalSocket {
  /// The longest path of a socket, in bytes: what `sun_path` holds before its zero.
  public static let maximumPathBytes = 107

  /// Who is at the other end of a connection, as the kernel knew when it was made (`SO_PEERCRED`).
  public struct Peer: Sendable, Equatable {
    public var process: Int32
    public var user: UInt32
    public var group: UInt32
  }

  /// Makes a socket at a path where nothing is, of mode 0600, and listens; non-blocking.
  /// - Throws: `Errno.nameTooLong` for a path of more than ``maximumPathBytes``,
  ///   `Errno.addressInUse` where there is something.
  public static func listen(at path: String) throws(Errno) -> FileDescriptor {
    let address = try address(of: path)
    let made = try make(SOCK_NONBLOCK.rawValue)
    // The mode of the socket becomes the mode of the file.
    guard fchmod(made.rawValue, 0o600) == 0,
      unsafe address.withUnsafeBytes({ buffer in
        unsafe bind(
          made.rawValue, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t(buffer.count))
      }) == 0, Glibc.listen(made.rawValue, 128) == 0
    else { throw Errno(rawValue: errno) }
    return made
  }

  /// Connects; the socket blocks.
  public static func connect(to path: String) throws(Errno) -> FileDescriptor {
    let address = try address(of: path)
    let made = try make(0)
    guard
      unsafe address.withUnsafeBytes({ buffer in
        unsafe Glibc.connect(
          made.rawValue, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t(buffer.count))
      }) == 0
    else { throw Errno(rawValue: errno) }
    return made
  }

  /// Takes the next connection of a listening socket; non-blocking.
  /// - Throws: `Errno.wouldBlock` when there is none.
  public static func accept(_ listener: Int32) throws(Errno) -> FileDescriptor {
    FileDescriptor(owning: Int32(try Errno.check(clinux_accept(listener))))
  }

  /// Who made the connection.
  public static func peer(of descriptor: Int32) throws(Errno) -> Peer {
    var words: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size) == 0, size == 12
    else { throw Errno(rawValue: errno) }
    return Peer(process: Int32(bitPattern: words[0]), user: words[1], group: words[2])
  }

  /// Whether a descriptor that somebody handed over is a local stream socket that listens.
  public static func isListening(_ descriptor: Int32) -> Bool {
    option(descriptor, SO_DOMAIN) == AF_UNIX
      && option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
      && option(descriptor, SO_ACCEPTCONN) == 1
  }

  private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(4)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 else { return nil }
    return value
  }

  private static func make(_ flags: UInt32) throws(Errno) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(owning: number)
  }

  /// `struct sockaddr_un` as far as the path goes.
  private static func address(of path: String) throws(Errno) -> [UInt8] {
    guard path.utf8.count <= maximumPathBytes else { throw .nameTooLong }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidArgument }
    let family = UInt16(AF_UNIX)
    return unsafe withUnsafeBytes(of: family) { unsafe Array($0) } + Array(path.utf8) + [0]
  }
}
