import Glibc

/// An IPv4 or IPv6 address: 4 or 16 bytes in network order, without port or zone.
public struct InternetAddress: Hashable, Sendable {
  /// 4 bytes or 16.
  public let bytes: [UInt8]

  /// Nil unless there are 4 bytes or 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  init(_ bytes: [UInt8]) {
    precondition(bytes.count == 4 || bytes.count == 16)
    self.bytes = bytes
  }

  /// Reads one of the two standard notations and nothing else (`inet_pton(3)`): four decimal
  /// numbers, or IPv6's groups. No name, no zone, no shorter, octal or hexadecimal IPv4.
  public init?(_ text: String) {
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    var four = [UInt8](repeating: 0, count: 4)
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      bytes = four
      return
    }
    var sixteen = [UInt8](repeating: 0, count: 16)
    guard unsafe inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    bytes = sixteen
  }

  public var isIPv6: Bool { bytes.count == 16 }

  /// Whether the first `length` bits are those of `prefix`, which is of the same family.
  func begins(with prefix: InternetAddress, length: Int) -> Bool {
    guard bytes.count == prefix.bytes.count else { return false }
    let whole = length / 8
    guard bytes[..<whole].elementsEqual(prefix.bytes[..<whole]) else { return false }
    let rest = length % 8
    return rest == 0 || (bytes[whole] ^ prefix.bytes[whole]) >> (8 - rest) == 0
  }
}

extension InternetAddress: CustomStringConvertible {
  /// The usual notation (RFC 5952 for IPv6), as `inet_ntop(3)` writes it.
  public var description: String {
    var text = [UInt8](repeating: 0, count: 46)
    unsafe text.withUnsafeMutableBytes { buffer in
      _ = unsafe inet_ntop(
        isIPv6 ? AF_INET6 : AF_INET, bytes,
        buffer.baseAddress!.assumingMemoryBound(to: CChar.self), 46)
    }
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
