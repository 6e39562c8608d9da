import Glibc
import LinuxSystem

/// TCP sockets and what the broker must know of them. `socket(7)`, `tcp(7)`.
public enum StreamSocket {
  /// What `connect` came to at once.
  public enum Beginning: Sendable { case established, pending }

  /// In bytes, as they are asked for; the kernel takes twice as much, for its own bookkeeping. Both
  /// are within the kernel's default bounds (`net.core.wmem_max`, `rmem_max`), which hold for
  /// everybody. The window is enough for 2 MB a second over a tenth of a second.
  static let sendBuffer: Int32 = 64 << 10
  static let receiveBuffer: Int32 = 192 << 10

  /// A new TCP socket of this process's own, non-blocking, with buffers of a fixed size: otherwise
  /// the kernel lets them grow to `net.ipv4.tcp_wmem` and `tcp_rmem`, up to 36 MB a connection.
  public static func make(isIPv6: Bool) throws(Errno) -> FileDescriptor {
    let descriptor = try make(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, Int32(IPPROTO_TCP))
    for (name, size) in [(SO_SNDBUF, sendBuffer), (SO_RCVBUF, receiveBuffer)] {
      try setOption(descriptor.rawValue, SOL_SOCKET, name, KernelQuestion.bytes(size))
    }
    return descriptor
  }

  private static func make(
    _ family: Int32, _ kind: __socket_type, _ proto: Int32
  ) throws(Errno) -> FileDescriptor {
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let number = socket(family, Int32(kind.rawValue | flags), proto)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(owning: number)
  }

  /// A pair of connected local stream sockets, both non-blocking.
  public static func pair() throws(Errno) -> LocalSocketPair {
    let pair = try LocalSocketPair()
    try pair.first.setNonBlocking()
    try pair.second.setNonBlocking()
    return pair
  }

  /// Begins to connect a non-blocking socket.
  @discardableResult
  public static func connect(
    _ descriptor: Int32, to target: SocketAddress
  ) throws(Errno) -> Beginning {
    let bytes = target.bytes
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.connect(
        descriptor, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(buffer.count))
    }
    if result == 0 { return .established }
    let error = Errno(rawValue: errno)
    if error.rawValue == EINPROGRESS { return .pending }
    throw error
  }

  /// The error that a connection came to (`SO_ERROR`), which is cleared by it.
  public static func takeError(_ descriptor: Int32) throws(Errno) -> Errno? {
    let value = try integer(descriptor, SOL_SOCKET, SO_ERROR)
    return value == 0 ? nil : Errno(rawValue: value)
  }

  /// Whether the socket is connected to `target` now: established, with that peer.
  public static func isEstablished(_ descriptor: Int32, with target: SocketAddress) -> Bool {
    guard let state = try? tcpState(descriptor),
      [establishedState, closeWaitState].contains(state),
      let peer = unsafe try? address(descriptor, Glibc.getpeername)
    else { return false }
    return peer == target
  }

  /// The socket's own address.
  static func name(of descriptor: Int32) throws(Errno) -> SocketAddress {
    unsafe try address(descriptor, Glibc.getsockname)
  }

  /// Gives an unconnected socket to a user, so that rules of a firewall by owner hold for it
  /// (`fchown(2)` sets the socket's uid). For root.
  public static func setOwner(_ descriptor: Int32, user: UInt32) throws(Errno) {
    guard fchown(descriptor, user, user) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Clears `O_NONBLOCK`.
  public static func setBlocking(_ descriptor: Int32) throws(Errno) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
      throw Errno(rawValue: errno)
    }
  }

  // MARK: Options

  static func integer(
    _ descriptor: Int32, _ level: Int32, _ name: Int32
  ) throws(Errno) -> Int32 {
    let bytes = try option(descriptor, level, name)
    guard bytes.count >= 4 else { throw Errno.invalidArgument }
    return bytes[..<4].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
  }

  static func option(
    _ descriptor: Int32, _ level: Int32, _ name: Int32
  ) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    var size = socklen_t(bytes.count)
    guard unsafe getsockopt(descriptor, level, name, &bytes, &size) == 0 else {
      throw Errno(rawValue: errno)
    }
    return Array(bytes.prefix(Int(size)))
  }

  static func setOption(
    _ descriptor: Int32, _ level: Int32, _ name: Int32, _ bytes: [UInt8]
  ) throws(Errno) {
    guard unsafe setsockopt(descriptor, level, name, bytes, socklen_t(bytes.count)) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  /// The interface that a socket is bound to; 0 for none (`SO_BINDTOIFINDEX`).
  static func boundInterface(of descriptor: Int32) throws(Errno) -> UInt32 {
    UInt32(bitPattern: try integer(descriptor, SOL_SOCKET, boundInterfaceOption))
  }

  /// SO_BINDTOIFINDEX, Linux 5.1.
  private static let boundInterfaceOption: Int32 = 62

  /// The first byte of `struct tcp_info`.
  static func tcpState(_ descriptor: Int32) throws(Errno) -> UInt8 {
    guard let state = try option(descriptor, Int32(IPPROTO_TCP), TCP_INFO).first else {
      throw Errno.invalidArgument
    }
    return state
  }

  /// TCP_ESTABLISHED, TCP_CLOSE_WAIT (the peer has finished sending already) and TCP_CLOSE
  /// (linux/tcp_states.h).
  private static let establishedState: UInt8 = 1
  private static let closeWaitState: UInt8 = 8
  static let closedState: UInt8 = 7

  private static func address(
    _ descriptor: Int32,
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(Errno) -> SocketAddress {
    var bytes = [UInt8](repeating: 0, count: SocketAddress.maximumSize)
    var size = socklen_t(bytes.count)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe ask(
        descriptor, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    do {
      return try SocketAddress(decoding: Array(bytes.prefix(Int(size))))
    } catch {
      throw Errno.invalidArgument
    }
  }
}
