import Testing

@testable import NetworkBroker

@Suite("Addresses as bytes and as text")
struct SocketAddressTests {
  private let four: [UInt8] = [2, 0, 0x1f, 0x90, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  private let six: [UInt8] =
    [10, 0, 0x1f, 0x90, 1, 2, 3, 4, 0x20, 1, 0x0d, 0xb8]
    + [UInt8](repeating: 0, count: 11) + [1, 0, 0, 0, 0]

  @Test("an address is read as the kernel reads it, and written without what it does not need")
  func decoding() throws {
    #expect("\(try SocketAddress(decoding: four))" == "192.0.2.1:8080")
    #expect(
      "\(try SocketAddress(decoding: four + [UInt8](repeating: 9, count: 112)))"
        == "192.0.2.1:8080")
    #expect("\(try SocketAddress(decoding: six))" == "[2001:db8::1]:8080")
    #expect("\(try SocketAddress(decoding: Array(six.prefix(24))))" == "[2001:db8::1]:8080")
    #expect(try SocketAddress(decoding: four).bytes == four)
    var plain = six
    plain.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    #expect(try SocketAddress(decoding: six).bytes == plain)
  }

  @Test("other families, wrong sizes and scopes are told apart")
  func faults() {
    for count in 0..<16 {
      let bytes = Array(four.prefix(count))
      #expect(throws: SocketAddress.Fault.size, "\(count)") { try SocketAddress(decoding: bytes) }
    }
    for count in 2..<24 {
      let bytes = Array(six.prefix(count))
      #expect(throws: SocketAddress.Fault.size, "\(count)") { try SocketAddress(decoding: bytes) }
    }
    #expect(throws: SocketAddress.Fault.size) {
      try SocketAddress(decoding: four + [UInt8](repeating: 0, count: 113))
    }
    for family: UInt16 in [0, 1, 3, 16, 17, 40, 0x102, 0x20a] {
      var bytes = four
      bytes[0] = UInt8(family & 0xff)
      bytes[1] = UInt8(family >> 8)
      #expect(throws: SocketAddress.Fault.family(family)) { try SocketAddress(decoding: bytes) }
    }
    var scoped = six
    scoped[24] = 2
    #expect(throws: SocketAddress.Fault.scope(2)) { try SocketAddress(decoding: scoped) }
  }

  @Test(
    "ADDRESS:PORT is read strictly, and written back the same",
    arguments: ["192.168.1.10:8080", "[fd00::1]:443", "1.2.3.4:1", "[2001:db8::]:65535"])
  func text(text: String) throws {
    #expect(try #require(SocketAddress(text)).description == text)
  }

  @Test(
    "anything else is no ADDRESS:PORT",
    arguments: [
      "", ":", ":80", "80", "1.2.3.4", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:01", "1.2.3.4:65536",
      "1.2.3.4:99999", "1.2.3.4:8a", "1.2.3.4:+8", "1.2.3.4:-1", "1.2.3.4: 8", " 1.2.3.4:8",
      "1.2.3.4:8 ", "1.2.3:80", "1.2.3.4.5:80", "01.2.3.4:80", "0x1.2.3.4:80", "256.1.1.1:80",
      "16909060:80", "1.2.3.4-5:80", "1.2.3.0/24:80", "*:80", "localhost:80", "nas:80",
      "fd00::1:443", "[fd00::1]", "[fd00::1]443", "[fd00::1%2]:443", "[fd00::1%eth0]:443",
      "[1.2.3.4]:80", "fd00::1]:443", "[fd00::1:443", "[]:80", "[:]:80", "[fd00::1]]:443",
      "1.2.3.4:80\u{0}", "1.2.3.4\u{0}:80", "１.2.3.4:80", "1.2.3.4:８0",
    ])
  func wrong(text: String) {
    #expect(SocketAddress(text) == nil)
  }
}
