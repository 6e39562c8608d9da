import Glibc
import LinuxSystem

/// Asks the kernel where it would send what a keyboard sends, and judges by its answer: a block of
/// addresses may be this machine's own though no interface has one of them, and a public address
/// may be next door.
///
/// Whatever cannot be asked is an error, and nothing is to be sent then. What is outside the routing
/// tables is not seen: rules of a packet filter that turn connections elsewhere.
public enum RouteCheck {
  /// Why a socket may not be connected to an address. To be asked of a new socket, right before the
  /// connect, and of the connection again: a routing table may change in between, and the connect
  /// itself chose the port of this end.
  /// - Parameters:
  ///   - socket: a TCP socket with all that the connect will find on it.
  ///   - isConnected: that it is the connection.
  ///   - user: the user whose socket it is; nil for the one who asks.
  ///   - isListed: that the user listed the target, which may be next door then.
  /// - Throws: the kernel's error, `ENETUNREACH` where it has no route.
  public static func fault(
    of target: SocketAddress, socket: Int32, isConnected: Bool, user: UInt32?, isListed: Bool
  ) throws(Errno) -> String? {
    var source: SocketAddress?
    if isConnected {
      let name = try StreamSocket.name(of: socket)
      source = SocketAddress(name.address.mapped ?? name.address, port: name.port)
    }
    let question = RouteQuestion(
      target: target.address.mapped ?? target.address, port: target.port, source: source,
      user: user ?? geteuid(),
      mark: UInt32(bitPattern: try StreamSocket.integer(socket, SOL_SOCKET, SO_MARK)),
      boundInterface: try StreamSocket.boundInterface(of: socket))
    return try fault(of: question, isListed: isListed)
  }

  /// The same of an address that a name has, before there is a socket or a port.
  public static func fault(
    of address: InternetAddress, user: UInt32?, isListed: Bool
  ) throws(Errno) -> String? {
    try fault(
      of: RouteQuestion(
        target: address.mapped ?? address, port: 0, user: user ?? geteuid(), mark: 0,
        boundInterface: 0),
      isListed: isListed)
  }

  static func fault(of question: RouteQuestion, isListed: Bool) throws(Errno) -> String? {
    let route = try ask(question, asEntry: false)
    let link = route.interface == 0 ? Route.Link(flags: 0) : try ask(of: route.interface)
    if let fault = route.faultOfAny(link: link) { return fault }
    if isListed || route.hasGateway { return nil }
    let prefix = link.isPointToPoint ? try ask(question, asEntry: true).prefixLength : 128
    let isOnLink = route.isOnLink(
      link: link, isIPv6: question.target.isIPv6, prefixLength: prefix)
    return isOnLink ? "on this machine's own network, and not listed" : nil
  }

  private static func ask(_ question: RouteQuestion, asEntry: Bool) throws(Errno) -> Route {
    let answer = try KernelQuestion.ask(
      .routing, type: getRoute, body: question.body(asEntry: asEntry))
    guard answer.type == newRoute,
      let route = Route(decoding: answer.body, target: question.target)
    else { throw .protocolError }
    return route
  }

  private static func ask(of interface: UInt32) throws(Errno) -> Route.Link {
    // struct ifinfomsg: family, type, index, flags, change.
    let body =
      [UInt8](repeating: 0, count: 4) + KernelQuestion.bytes(interface)
      + [UInt8](repeating: 0, count: 8)
    let answer = try KernelQuestion.ask(.routing, type: getLink, body: body)
    guard answer.type == newLink, answer.body.count >= 16,
      KernelQuestion.number(answer.body[4..<8]) == interface,
      let flags = KernelQuestion.number(answer.body[8..<12])
    else { throw .protocolError }
    return Route.Link(flags: flags)
  }

  private static let newLink: UInt16 = 16
  private static let getLink: UInt16 = 18
  private static let newRoute: UInt16 = 24
  private static let getRoute: UInt16 = 26
}
