import Glibc
import LinuxSystem

/// A connection that was handed over, as the kernel knows it: it costs the kernel's memory for as
/// long as it is there, also after its last descriptor was closed. `sock_diag(7)`.
public struct LiveConnection: Sendable, Equatable {
  let source: SocketAddress
  let target: SocketAddress
  /// `SO_COOKIE`: of all sockets, this one's alone.
  let cookie: [UInt8]
  let boundInterface: UInt32

  /// - Throws: the kernel's error; `EPROTONOSUPPORT` where the kernel does not tell of connections
  ///   (`CONFIG_INET_DIAG`), so that nobody could count them.
  public init(of descriptor: Int32, with target: SocketAddress) throws(Errno) {
    let name = try StreamSocket.name(of: descriptor)
    source = SocketAddress(name.address.mapped ?? name.address, port: name.port)
    self.target = SocketAddress(target.address.mapped ?? target.address, port: target.port)
    cookie = try StreamSocket.option(descriptor, SOL_SOCKET, Self.cookieOption)
    boundInterface = try StreamSocket.boundInterface(of: descriptor)
    guard cookie.count == 8 else { throw .invalidArgument }
    if isGone {
      throw StreamSocket.isEstablished(descriptor, with: target)
        ? .unsupportedProtocol : .connectionReset
    }
  }

  /// Whether the kernel has let go of it, but for the little that it remembers of every connection
  /// for a minute. What cannot be asked is taken for being there.
  public var isGone: Bool {
    do throws(Errno) {
      let answer = try KernelQuestion.ask(.sockets, type: Self.byFamily, body: body)
      return Self.isRemembered(answer.body)
    } catch {
      // Nothing with these addresses, or another socket with them.
      return error == .noSuchFile || error.rawValue == ESTALE
    }
  }

  /// Ends it, and drops what it has not sent, whoever has it and if nobody has. Nothing happens where
  /// the kernel refuses: without CAP_NET_ADMIN, or `CONFIG_INET_DIAG_DESTROY`.
  public func destroy() { _ = try? KernelQuestion.ask(.sockets, type: Self.destroying, body: body) }

  /// Whether an answer is of a connection whose buffers are gone: TIME_WAIT, or FIN_WAIT2 of a socket
  /// that nobody has any more. An honest client that asks often leaves one after each question.
  /// - Parameter answer: `struct inet_diag_msg`: the state is its second byte, and the inode, 0 for a
  ///   socket of nobody's, stands at 68.
  static func isRemembered(_ answer: [UInt8]) -> Bool {
    guard answer.count >= 72, let inode = KernelQuestion.number(answer[68..<72]) else {
      return false
    }
    return answer[1] == Self.timeWait || answer[1] == Self.finWait2 && inode == 0
  }

  /// `struct inet_diag_req_v2`.
  var body: [UInt8] {
    var body: [UInt8] = [target.address.isIPv6 ? 10 : 2, UInt8(IPPROTO_TCP), 0, 0]
    // In whatever state.
    body += KernelQuestion.bytes(UInt32.max)
    for end in [source, target] { body += [UInt8(end.port >> 8), UInt8(end.port & 0xff)] }
    for end in [source, target] {
      body += end.address.bytes
      body += [UInt8](repeating: 0, count: 16 - end.address.bytes.count)
    }
    return body + KernelQuestion.bytes(boundInterface) + cookie
  }

  /// TCP_TIME_WAIT, TCP_FIN_WAIT2.
  private static let timeWait: UInt8 = 6
  private static let finWait2: UInt8 = 5
  /// SOCK_DIAG_BY_FAMILY.
  private static let byFamily: UInt16 = 20
  /// SOCK_DESTROY. No answer comes when it is done.
  private static let destroying: UInt16 = 21
  /// SO_COOKIE.
  private static let cookieOption: Int32 = 57
}
