/// Where a TCP connection goes: an address and a port, and nothing else of a `struct sockaddr`.
public struct SocketAddress: Hashable, Sendable {
  public let address: InternetAddress
  public let port: UInt16

  public init(_ address: InternetAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Why bytes are no address that can be connected to.
  public enum Fault: Error, Equatable, Sendable {
    /// Fewer bytes than the family needs, or more than any address has.
    case size
    /// Another family; `AF_UNSPEC`, which ends a connection, is 0.
    case family(UInt16)
    /// An IPv6 address with a scope: it means something on one link only.
    case scope(UInt32)
  }

  /// The longest address that the kernel takes, in bytes (`struct sockaddr_storage`).
  public static let maximumSize = 128

  /// Reads a `struct sockaddr_in` or `sockaddr_in6` as the kernel does. The flow label is dropped.
  public init(decoding bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 2, bytes.count <= Self.maximumSize else { throw .size }
    let family = UInt16(littleEndian: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    switch family {
    case Self.familyIPv4:
      guard bytes.count >= 16 else { throw .size }
      address = InternetAddress(Array(bytes[4..<8]))
    case Self.familyIPv6:
      // SIN6_LEN_RFC2133: the kernel still takes addresses without the scope.
      guard bytes.count >= 24 else { throw .size }
      address = InternetAddress(Array(bytes[8..<24]))
      if bytes.count >= 28 {
        let scope = bytes[24..<28].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard scope == 0 else { throw .scope(scope) }
      }
    default: throw .family(family)
    }
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
  }

  /// The `struct sockaddr_in` or `sockaddr_in6`.
  public var bytes: [UInt8] {
    let portBytes = [UInt8(port >> 8), UInt8(port & 0xff)]
    if address.isIPv6 {
      return [UInt8(Self.familyIPv6), 0] + portBytes + [0, 0, 0, 0] + address.bytes + [0, 0, 0, 0]
    }
    return [UInt8(Self.familyIPv4), 0] + portBytes + address.bytes
      + [UInt8](repeating: 0, count: 8)
  }

  private static let familyIPv4: UInt16 = 2
  private static let familyIPv6: UInt16 = 10
}

extension SocketAddress: CustomStringConvertible {
  /// `192.0.2.1:80` or `[2001:db8::1]:80`.
  public var description: String {
    address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

extension SocketAddress {
  /// Reads `ADDRESS:PORT`, IPv6 in brackets, with the port in decimal without leading zeros. No
  /// names, no ranges, no zones.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.count <= 5, digits.first != "0",
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = InternetAddress(String(host)), address.isIPv6 == isBracketed else {
      return nil
    }
    self.init(address, port: port)
  }
}
