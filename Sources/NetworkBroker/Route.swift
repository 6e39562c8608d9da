/// The way that the kernel chooses for what is sent to an address, and whether a keyboard may use
/// it. Pure: see ``RouteCheck`` for who asks.
public struct Route: Sendable, Equatable {
  /// `rtm_type`: whether what is sent there leaves this machine.
  var type: UInt8
  /// How many bits of the address the routing table's entry names.
  var prefixLength: UInt8
  /// The interface it leaves by, `RTA_OIF`; 0 when the kernel names none.
  var interface: UInt32
  /// Whether it goes to a router, which is not the addressee.
  var hasGateway: Bool

  /// What the kernel says of an interface: `ifi_flags`, `netdevice(7)`.
  struct Link: Sendable, Equatable {
    var flags: UInt32

    var isLoopback: Bool { flags & 0x8 != 0 }
    /// Nothing is asked for there: one far end (IFF_POINTOPOINT), or no addresses of hardware
    /// (IFF_NOARP). Tunnels and modems.
    var isPointToPoint: Bool { flags & (0x10 | 0x80) != 0 }
  }

  /// Reads the body of an `RTM_NEWROUTE`; nil when it is none.
  init?(decoding body: [UInt8], target: InternetAddress) {
    guard body.count >= 12,
      let attributes = KernelQuestion.attributes(reading: body[12...])
    else { return nil }
    prefixLength = body[1]
    type = body[7]
    interface = attributes[4].flatMap { KernelQuestion.number($0) } ?? 0
    // A redirect that says "it is on your link" names the addressee as its own router.
    let gateway = attributes[5]
    hasGateway = (gateway != nil && gateway != target.bytes) || attributes[18] != nil
  }

  init(type: UInt8, prefixLength: UInt8 = 0, interface: UInt32, hasGateway: Bool) {
    self.type = type
    self.prefixLength = prefixLength
    self.interface = interface
    self.hasGateway = hasGateway
  }

  /// Why no list opens this way: it ends on this machine, or nowhere.
  func faultOfAny(link: Link) -> String? {
    switch type {
    case 1: break
    case 2: return "an address of this machine (a local route)"
    case 3, 4, 5: return "an address of several machines"
    default: return "no way leads there"
    }
    guard interface != 0, !link.isLoopback else {
      return "an address of this machine (through its loopback interface)"
    }
    return nil
  }

  /// Whether the addressee is on a network that this machine is part of: no router is between.
  ///
  /// A tunnel has no router either. What is beyond it is taken for the Internet when the table's
  /// entry is for more than any one network was ever given: wider than an IPv4 /8 or an IPv6 /16,
  /// as the default route is, and its halves and quarters.
  /// - Parameter prefixLength: that of the table's entry, asked for only if it decides.
  func isOnLink(link: Link, isIPv6: Bool, prefixLength: UInt8) -> Bool {
    if hasGateway { return false }
    return !(link.isPointToPoint && prefixLength < (isIPv6 ? 16 : 8))
  }
}
