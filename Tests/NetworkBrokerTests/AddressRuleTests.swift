import Testing

@testable import NetworkBroker

@Suite("The address rule")
struct AddressRuleTests {
  let own: Set<InternetAddress> = [
    InternetAddress("127.0.0.1")!, InternetAddress("8.8.4.4")!, InternetAddress("2a00::7")!,
  ]

  private func judge(
    _ address: String, port: UInt16 = 443, _ exceptions: [String] = []
  ) throws -> AddressRule.Verdict {
    let address = try #require(InternetAddress(address), "\(address)")
    return AddressRule(exceptions: Set(exceptions.map { SocketAddress($0)! }))
      .judge(SocketAddress(address, port: port), own: own)
  }

  @Test(
    "public addresses are allowed, in each form that leads to them alone",
    arguments: [
      "8.8.8.8", "1.1.1.1", "203.0.114.2", "203.0.112.255", "9.255.255.255", "11.0.0.0",
      "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
      "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
      "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
      "223.255.255.255", "192.0.0.9", "192.0.0.10", "192.31.196.1", "192.52.193.1", "192.175.48.1",
      "2a00:1450::1", "2606:4700::1111", "2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1",
      "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::1", "2001:4:112::1", "2001:20::1",
      "2001:30::1", "2620:4f:8000::1", "3ffe::1", "2000::", "64:ff9b::808:808", "::ffff:8.8.8.8",
    ])
  func allowed(address: String) throws {
    #expect(try judge(address) == .allowed)
  }

  @Test(
    "what the registries do not leave globally reachable is refused, row by row, to its ends",
    arguments: [
      ("0.0.0.0", "This host"), ("0.0.0.1", "This network"), ("0.255.255.255", "This network"),
      ("10.0.0.0", "Private-Use"), ("10.255.255.255", "Private-Use"),
      ("100.64.0.0", "Shared Address Space"), ("100.127.255.255", "Shared Address Space"),
      ("127.0.0.2", "Loopback"), ("127.255.255.255", "Loopback"),
      ("169.254.0.0", "Link Local"), ("169.254.255.255", "Link Local"),
      ("172.16.0.0", "Private-Use"), ("172.31.255.255", "Private-Use"),
      ("192.0.0.0", "IPv4 Service Continuity Prefix"), ("192.0.0.8", "IPv4 dummy address"),
      ("192.0.0.11", "IETF Protocol Assignments"), ("192.0.0.170", "NAT64/DNS64 Discovery"),
      ("192.0.0.171", "NAT64/DNS64 Discovery"), ("192.0.2.53", "TEST-NET-1"),
      ("192.88.99.1", "6to4 Relay Anycast"), ("192.88.99.2", "6a44-relay"),
      ("192.168.0.0", "Private-Use"), ("192.168.255.255", "Private-Use"),
      ("198.18.0.0", "Benchmarking"), ("198.19.255.255", "Benchmarking"),
      ("198.51.100.1", "TEST-NET-2"), ("203.0.113.1", "TEST-NET-3"),
      ("224.0.0.0", "Multicast"), ("239.255.255.255", "Multicast"), ("240.0.0.0", "Reserved"),
      ("255.255.255.254", "Reserved"), ("255.255.255.255", "Limited Broadcast"),
      ("::", "Unspecified"), ("::1", "Loopback"), ("::2", "compatible form of 0.0.0.2"),
      ("100::1", "Discard-Only"), ("100:0:0:1::1", "Dummy IPv6 Prefix"),
      ("2001:0:808:808::1", "form of 255.255.255.254, Reserved"),
      ("2001:0:808:808::f7f7:f7f7", "TEREDO"), ("2001:2::1", "Benchmarking"),
      ("2001:5::1", "IETF Protocol Assignments"), ("2001:1::4", "IETF Protocol Assignments"),
      ("2001:10::1", "ORCHID"), ("2001:db8::1", "Documentation"), ("2002:808:808::1", "6to4"),
      ("3fff::1", "Documentation"), ("3fff:fff::1", "Documentation"), ("5f00::1", "SRv6"),
      ("fc00::1", "Unique-Local"), ("fdff::1", "Unique-Local"), ("fe80::1", "Link-Local"),
      ("febf::1", "Link-Local"), ("fec0::1", "Site-Local"), ("ff02::1", "Multicast"),
      ("ff0e::1", "Multicast"), ("4000::1", "not Global Unicast"),
      ("1fff::1", "not Global Unicast"),
      ("64:ff9b:1::808:808", "IPv4-IPv6 Translat."), ("64:ff9c::1", "not Global Unicast"),
      ("::8.8.8.8", "not Global Unicast"), ("::ffff:0:808:808", "not Global Unicast"),
    ])
  func refused(address: String, reason: String) throws {
    guard case .refused(let told) = try judge(address) else {
      Issue.record("\(address) is allowed")
      return
    }
    #expect(told.contains(reason), "\(told)")
  }

  @Test(
    "an IPv4 address inside an IPv6 one counts as if it stood alone",
    arguments: [
      ("::ffff:127.0.0.1", "IPv4-mapped form of 127.0.0.1"),
      ("::ffff:10.1.2.3", "IPv4-mapped form of 10.1.2.3"), ("::ffff:0.0.0.0", "IPv4-mapped"),
      ("::ffff:a9fe:1", "IPv4-mapped form of 169.254.0.1"),
      ("::127.0.0.1", "IPv4-compatible form of 127.0.0.1"),
      ("::ffff:0:a00:1", "IPv4-translated form of 10.0.0.1"),
      ("2002:7f00:1::1", "6to4 form of 127.0.0.1"),
      ("2002:c0a8:101::1", "6to4 form of 192.168.1.1"),
      ("2001:0:a00:1::f7f7:f7f7", "Teredo server form of 10.0.0.1"),
      ("2001:0:808:808::80ff:fffe", "Teredo client form of 127.0.0.1"),
      ("64:ff9b::7f00:1", "NAT64 form of 127.0.0.1"),
      ("64:ff9b::c0a8:1", "NAT64 form of 192.168.0.1"),
      ("64:ff9b::e000:1", "NAT64 form of 224.0.0.1"),
      ("64:ff9b:1::a00:1", "NAT64 form of 10.0.0.1"),
      ("2a00:1450::5efe:10.0.0.1", "ISATAP form of 10.0.0.1"),
      ("2a00:1450::200:5efe:127.0.0.1", "ISATAP form of 127.0.0.1"),
    ])
  func embedded(address: String, reason: String) throws {
    guard case .refused(let told) = try judge(address) else {
      Issue.record("\(address) is allowed")
      return
    }
    #expect(told.contains(reason), "\(told)")
  }

  @Test(
    "the machine's own addresses are refused, public ones too, in every form",
    arguments: [
      "8.8.4.4", "::ffff:8.8.4.4", "64:ff9b::808:404", "2002:808:404::1", "2a00::7",
      "2001:0:808:808::f7f7:fbfb", "::8.8.4.4",
    ])
  func ownAddresses(address: String) throws {
    guard case .refused(let told) = try judge(address) else {
      Issue.record("\(address) is allowed")
      return
    }
    #expect(told.contains("an address of this machine"), "\(told)")
  }

  @Test("what the user listed is allowed, with its port and in the form it is reached by alone")
  func exceptions() throws {
    let listed = ["192.168.1.10:8080", "[fd00::1]:443"]
    #expect(try judge("192.168.1.10", port: 8080, listed) == .allowed)
    #expect(try judge("::ffff:192.168.1.10", port: 8080, listed) == .allowed)
    #expect(try judge("fd00::1", port: 443, listed) == .allowed)
    for (address, port) in [
      ("192.168.1.10", UInt16(8081)), ("192.168.1.11", 8080), ("fd00::1", 8080), ("fd00::2", 443),
      ("64:ff9b::c0a8:10a", 8080), ("::192.168.1.10", 8080), ("2002:c0a8:10a::", 8080),
    ] {
      #expect(try judge(address, port: port, listed) != .allowed, "\(address) \(port)")
    }
    let rule = AddressRule(exceptions: Set(listed.map { SocketAddress($0)! }))
    #expect(rule.reaches(InternetAddress("192.168.1.10")!, own: own))
    #expect(!rule.reaches(InternetAddress("192.168.1.11")!, own: own))
    #expect(!rule.reaches(InternetAddress("127.0.0.1")!, own: own))
    #expect(rule.reaches(InternetAddress("1.1.1.1")!, own: own))
  }

  @Test("no list opens this machine, multicast or broadcast")
  func neverOpened() throws {
    for text in ["8.8.4.4:80", "127.0.0.1:80", "[::1]:80", "0.0.0.0:80", "224.0.0.1:80"] {
      let address = try #require(SocketAddress(text))
      let rule = AddressRule(exceptions: [address])
      #expect(rule.judge(address, own: own) != .allowed, "\(text)")
      #expect(!rule.reaches(address.address, own: own), "\(text)")
    }
  }

  @Test("port 0 is refused")
  func portZero() throws {
    #expect(try judge("1.1.1.1", port: 0) == .refused("port 0"))
  }

  @Test("the registry's rows name blocks that begin where they say, each once")
  func rows() {
    for rows in [SpecialPurposeRegistry.ipv4, SpecialPurposeRegistry.ipv6] {
      var seen: Set<String> = []
      for row in rows {
        #expect(seen.insert("\(row.prefix)/\(row.length)").inserted, "\(row.prefix)/\(row.length)")
        #expect(row.length <= row.prefix.bytes.count * 8)
        for bit in row.length..<row.prefix.bytes.count * 8 {
          #expect(
            row.prefix.bytes[bit / 8] >> (7 - bit % 8) & 1 == 0, "\(row.prefix)/\(row.length)")
        }
      }
    }
  }
}
