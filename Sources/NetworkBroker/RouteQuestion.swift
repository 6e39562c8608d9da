/// What a connect will be, as far as the kernel's choice of a way depends on it: routing rules may
/// look at each of it. `rtnetlink(7)`, `ip-rule(8)`.
struct RouteQuestion: Equatable {
  var target: InternetAddress
  /// 0 for any.
  var port: UInt16
  /// This end of a connection that stands.
  var source: SocketAddress?
  /// The user whose socket it is.
  var user: UInt32
  /// `SO_MARK` of the socket.
  var mark: UInt32
  /// The interface that the socket is bound to; 0 for none.
  var boundInterface: UInt32

  /// The body of an `RTM_GETROUTE`.
  /// - Parameter asEntry: asks for the entry of the table, and not for the way that comes of it.
  func body(asEntry: Bool) -> [UInt8] {
    var body: [UInt8] = [
      target.isIPv6 ? 10 : 2, UInt8(8 * target.bytes.count),
      UInt8(8 * (source?.address.bytes.count ?? 0)), 0, 0, 0, 0, 0,
    ]
    body += KernelQuestion.bytes(asEntry ? Self.entryFlag : 0)
    body += KernelQuestion.attribute(1, target.bytes)
    if let source {
      body += KernelQuestion.attribute(2, source.address.bytes)
      body += KernelQuestion.attribute(28, Self.networkOrder(source.port))
    }
    if boundInterface != 0 {
      body += KernelQuestion.attribute(4, KernelQuestion.bytes(boundInterface))
    }
    if mark != 0 { body += KernelQuestion.attribute(16, KernelQuestion.bytes(mark)) }
    body += KernelQuestion.attribute(25, KernelQuestion.bytes(user))
    // IPPROTO_TCP.
    body += KernelQuestion.attribute(27, [6])
    if port != 0 { body += KernelQuestion.attribute(29, Self.networkOrder(port)) }
    return body
  }

  private static func networkOrder(_ port: UInt16) -> [UInt8] {
    [UInt8(port >> 8), UInt8(port & 0xff)]
  }

  /// RTM_F_FIB_MATCH.
  private static let entryFlag: UInt32 = 0x2000
}
