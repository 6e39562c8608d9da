/// One row: a block of addresses, and whether the Internet at large can reach it.
struct AddressBlock: Sendable {
  enum Reachability: Sendable { case global, notGlobal, notApplicable }

  var prefix: InternetAddress
  var length: Int
  /// The registry's name for it.
  var name: String
  var reachability: Reachability

  init(_ prefix: String, _ length: Int, _ name: String, _ reachability: Reachability) {
    self.prefix = InternetAddress(prefix)!
    self.length = length
    self.name = name
    self.reachability = reachability
  }

  func contains(_ address: InternetAddress) -> Bool {
    address.begins(with: prefix, length: length)
  }
}

/// The IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190), with the names
/// and the column "Globally Reachable" of their state of October 2025, under the rows of the two
/// address spaces that say what the rest is. The longest prefix that contains an address decides.
enum SpecialPurposeRegistry {
  static func block(of address: InternetAddress) -> AddressBlock {
    let rows = address.isIPv6 ? ipv6 : ipv4
    return rows.filter { $0.contains(address) }.max { $0.length < $1.length }!
  }

  static let ipv4: [AddressBlock] = [
    AddressBlock("0.0.0.0", 0, "Unicast", .global),
    AddressBlock("0.0.0.0", 8, "\"This network\"", .notGlobal),
    AddressBlock("0.0.0.0", 32, "\"This host on this network\"", .notGlobal),
    AddressBlock("10.0.0.0", 8, "Private-Use", .notGlobal),
    AddressBlock("100.64.0.0", 10, "Shared Address Space", .notGlobal),
    AddressBlock("127.0.0.0", 8, "Loopback", .notGlobal),
    AddressBlock("169.254.0.0", 16, "Link Local", .notGlobal),
    AddressBlock("172.16.0.0", 12, "Private-Use", .notGlobal),
    AddressBlock("192.0.0.0", 24, "IETF Protocol Assignments", .notGlobal),
    AddressBlock("192.0.0.0", 29, "IPv4 Service Continuity Prefix", .notGlobal),
    AddressBlock("192.0.0.8", 32, "IPv4 dummy address", .notGlobal),
    AddressBlock("192.0.0.9", 32, "Port Control Protocol Anycast", .global),
    AddressBlock("192.0.0.10", 32, "Traversal Using Relays around NAT Anycast", .global),
    AddressBlock("192.0.0.170", 32, "NAT64/DNS64 Discovery", .notGlobal),
    AddressBlock("192.0.0.171", 32, "NAT64/DNS64 Discovery", .notGlobal),
    AddressBlock("192.0.2.0", 24, "Documentation (TEST-NET-1)", .notGlobal),
    AddressBlock("192.31.196.0", 24, "AS112-v4", .global),
    AddressBlock("192.52.193.0", 24, "AMT", .global),
    AddressBlock("192.88.99.0", 24, "Deprecated (6to4 Relay Anycast)", .notApplicable),
    AddressBlock("192.88.99.2", 32, "6a44-relay anycast address", .notGlobal),
    AddressBlock("192.168.0.0", 16, "Private-Use", .notGlobal),
    AddressBlock("192.175.48.0", 24, "Direct Delegation AS112 Service", .global),
    AddressBlock("198.18.0.0", 15, "Benchmarking", .notGlobal),
    AddressBlock("198.51.100.0", 24, "Documentation (TEST-NET-2)", .notGlobal),
    AddressBlock("203.0.113.0", 24, "Documentation (TEST-NET-3)", .notGlobal),
    AddressBlock("224.0.0.0", 4, "Multicast", .notGlobal),
    AddressBlock("240.0.0.0", 4, "Reserved", .notGlobal),
    AddressBlock("255.255.255.255", 32, "Limited Broadcast", .notGlobal),
  ]

  static let ipv6: [AddressBlock] = [
    AddressBlock("::", 0, "not Global Unicast", .notGlobal),
    AddressBlock("2000::", 3, "Global Unicast", .global),
    AddressBlock("::1", 128, "Loopback Address", .notGlobal),
    AddressBlock("::", 128, "Unspecified Address", .notGlobal),
    AddressBlock("::ffff:0:0", 96, "IPv4-mapped Address", .notGlobal),
    AddressBlock("64:ff9b::", 96, "IPv4-IPv6 Translat.", .global),
    AddressBlock("64:ff9b:1::", 48, "IPv4-IPv6 Translat.", .notGlobal),
    AddressBlock("100::", 64, "Discard-Only Address Block", .notGlobal),
    AddressBlock("100:0:0:1::", 64, "Dummy IPv6 Prefix", .notGlobal),
    AddressBlock("2001::", 23, "IETF Protocol Assignments", .notGlobal),
    AddressBlock("2001::", 32, "TEREDO", .notApplicable),
    AddressBlock("2001:1::1", 128, "Port Control Protocol Anycast", .global),
    AddressBlock("2001:1::2", 128, "Traversal Using Relays around NAT Anycast", .global),
    AddressBlock("2001:1::3", 128, "DNS-SD Service Registration Protocol Anycast", .global),
    AddressBlock("2001:2::", 48, "Benchmarking", .notGlobal),
    AddressBlock("2001:3::", 32, "AMT", .global),
    AddressBlock("2001:4:112::", 48, "AS112-v6", .global),
    AddressBlock("2001:10::", 28, "Deprecated (previously ORCHID)", .notApplicable),
    AddressBlock("2001:20::", 28, "ORCHIDv2", .global),
    AddressBlock("2001:30::", 28, "Drone Remote ID Protocol Entity Tags (DETs) Prefix", .global),
    AddressBlock("2001:db8::", 32, "Documentation", .notGlobal),
    AddressBlock("2002::", 16, "6to4", .notApplicable),
    AddressBlock("2620:4f:8000::", 48, "Direct Delegation AS112 Service", .global),
    AddressBlock("3fff::", 20, "Documentation", .notGlobal),
    AddressBlock("5f00::", 16, "Segment Routing (SRv6) SIDs", .notGlobal),
    AddressBlock("fc00::", 7, "Unique-Local", .notGlobal),
    AddressBlock("fe80::", 10, "Link-Local Unicast", .notGlobal),
    AddressBlock("fec0::", 10, "Deprecated (Site-Local Unicast)", .notGlobal),
    AddressBlock("ff00::", 8, "Multicast", .notGlobal),
  ]
}
