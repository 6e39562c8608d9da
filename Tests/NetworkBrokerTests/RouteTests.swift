import LinuxSystem
import Testing

@testable import NetworkBroker

@Suite("The way that the kernel chooses")
struct RouteTests {
  private static let ordinary = Route.Link(flags: 0x1043)
  private static let loopback = Route.Link(flags: 0x49)
  private static let tunnel = Route.Link(flags: 0x10d1)

  @Test("nothing but an ordinary route through a router, or a wide tunnel, is taken")
  func judging() {
    let routed = Route(type: 1, interface: 2, hasGateway: true)
    #expect(routed.faultOfAny(link: Self.ordinary) == nil)
    #expect(routed.faultOfAny(link: Self.loopback) != nil)
    #expect(!routed.isOnLink(link: Self.ordinary, isIPv6: false, prefixLength: 32))
    for type in UInt8(0)...255 where type != 1 {
      let route = Route(type: type, interface: 2, hasGateway: true)
      #expect(route.faultOfAny(link: Self.ordinary) != nil, "\(type)")
    }
    #expect(Route(type: 1, interface: 0, hasGateway: true).faultOfAny(link: Self.ordinary) != nil)
    let next = Route(type: 1, interface: 2, hasGateway: false)
    for isIPv6 in [false, true] {
      #expect(next.isOnLink(link: Self.ordinary, isIPv6: isIPv6, prefixLength: 0))
      #expect(!next.isOnLink(link: Self.tunnel, isIPv6: isIPv6, prefixLength: 0))
      #expect(!next.isOnLink(link: Self.tunnel, isIPv6: isIPv6, prefixLength: isIPv6 ? 15 : 7))
      #expect(next.isOnLink(link: Self.tunnel, isIPv6: isIPv6, prefixLength: isIPv6 ? 16 : 8))
    }
  }

  @Test("a router is told from the addressee itself, which a redirect names")
  func gateway() throws {
    let target = try #require(InternetAddress("8.8.8.8"))
    func route(_ attributes: [UInt8]) throws -> Route {
      let head: [UInt8] = [2, 32, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0]
      return try #require(Route(decoding: head + attributes, target: target))
    }
    let interface = KernelQuestion.attribute(4, [3, 0, 0, 0])
    #expect(
      try route(interface) == Route(type: 1, prefixLength: 32, interface: 3, hasGateway: false))
    #expect(try route(interface + KernelQuestion.attribute(5, [8, 8, 8, 1])).hasGateway)
    #expect(try !route(interface + KernelQuestion.attribute(5, [8, 8, 8, 8])).hasGateway)
    // RTA_VIA: a router that has an address of the other family.
    let via: [UInt8] = [10, 0, 0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    #expect(try route(interface + KernelQuestion.attribute(18, via)).hasGateway)
  }

  @Test("messages that are cut short or lie about their lengths are not read")
  func hostileMessages() {
    let body: [UInt8] = [2, 32, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0, 8, 0, 4, 0, 3, 0, 0, 0]
    let target = InternetAddress([8, 8, 8, 8])
    for count in 0..<body.count where count != 12 {
      #expect(Route(decoding: Array(body.prefix(count)), target: target) == nil, "\(count)")
    }
    for size: UInt8 in [0, 1, 3, 9, 255] {
      var changed = body
      changed[12] = size
      #expect(Route(decoding: changed, target: target) == nil, "\(size)")
    }
    let whole = KernelQuestion.message(type: 24, body: body)
    #expect(throws: Never.self) { try KernelQuestion.answer(reading: whole) }
    for count in 0..<whole.count {
      #expect(throws: Errno.protocolError, "\(count)") {
        try KernelQuestion.answer(reading: Array(whole.prefix(count)))
      }
    }
    func error(_ value: Int32) -> [UInt8] {
      KernelQuestion.message(type: 2, body: KernelQuestion.bytes(value))
    }
    #expect(throws: Errno(rawValue: 101)) { try KernelQuestion.answer(reading: error(-101)) }
    for value: Int32 in [0, 1, -4_096, .min] {
      #expect(throws: Errno.protocolError) { try KernelQuestion.answer(reading: error(value)) }
    }
  }

  @Test("the kernel is asked with all that routing rules look at")
  func question() throws {
    let question = RouteQuestion(
      target: InternetAddress([8, 8, 8, 8]), port: 443,
      source: SocketAddress(InternetAddress([10, 0, 0, 1]), port: 0x1234), user: 77, mark: 5,
      boundInterface: 3)
    let body = question.body(asEntry: true)
    #expect(Array(body.prefix(12)) == [2, 32, 32, 0, 0, 0, 0, 0, 0, 0x20, 0, 0])
    let attributes = try #require(KernelQuestion.attributes(reading: body[12...]))
    #expect(
      attributes == [
        1: [8, 8, 8, 8], 2: [10, 0, 0, 1], 28: [0x12, 0x34], 4: [3, 0, 0, 0], 16: [5, 0, 0, 0],
        25: [77, 0, 0, 0], 27: [6], 29: [1, 0xbb],
      ])
  }

  @Test("this machine's own addresses are refused by the kernel's answer alone, listed or not")
  func own() throws {
    let all = try OwnAddresses.current().union([InternetAddress([127, 9, 9, 9])])
    for address in all where !address.description.hasPrefix("fe80") {
      for (user, isListed) in [(nil, false), (12_345, true)] as [(UInt32?, Bool)] {
        do throws(Errno) {
          let fault = try RouteCheck.fault(of: address, user: user, isListed: isListed)
          #expect(fault?.contains("of this machine") == true, "\(address)")
        } catch {
          // An interface that is down has addresses that lead nowhere, and fails closed.
          #expect([101, 113].contains(error.rawValue), "\(address)")
        }
      }
    }
  }
}
