/// An IPv4 address inside an IPv6 one: who connects to the whole may reach the part.
struct EmbeddedAddress: Equatable, Sendable {
  /// The form, for people.
  var form: String
  var address: InternetAddress
}

extension InternetAddress {
  /// The IPv4 address of `::ffff:0:0/96`: the kernel connects to it by IPv4.
  var mapped: InternetAddress? {
    begins(with: Self.mappedPrefix, length: 96) ? InternetAddress(Array(bytes[12...])) : nil
  }

  /// What the kernel connects to: the IPv4 address for a mapped one.
  public var mappedOrSelf: InternetAddress { mapped ?? self }

  /// Every IPv4 address that some mechanism reads in this IPv6 address.
  var embedded: [EmbeddedAddress] {
    guard isIPv6 else { return [] }
    func part(_ range: Range<Int>, _ form: String, inverted: Bool = false) -> EmbeddedAddress {
      EmbeddedAddress(
        form: form, address: InternetAddress(bytes[range].map { inverted ? ~$0 : $0 }))
    }
    var found: [EmbeddedAddress] = []
    // RFC 4291
    if mapped != nil { found.append(part(12..<16, "IPv4-mapped")) }
    if begins(with: Self.zero, length: 96), bytes[12...] != [0, 0, 0, 0],
      bytes[12...] != [0, 0, 0, 1]
    {
      found.append(part(12..<16, "IPv4-compatible"))
    }
    // RFC 2765: `::ffff:0:a.b.c.d`
    if begins(with: Self.translatedPrefix, length: 96) {
      found.append(part(12..<16, "IPv4-translated"))
    }
    // RFC 3056
    if begins(with: Self.prefix6to4, length: 16) { found.append(part(2..<6, "6to4")) }
    // RFC 4380: the server, and the client with its bits inverted
    if begins(with: Self.teredoPrefix, length: 32) {
      found.append(part(4..<8, "Teredo server"))
      found.append(part(12..<16, "Teredo client", inverted: true))
    }
    // RFC 6052 and RFC 8215. In the local-use block the place of the address is the network's
    // choice; the block is refused as a whole.
    if begins(with: Self.translationPrefix, length: 96)
      || begins(with: Self.localTranslationPrefix, length: 48)
    {
      found.append(part(12..<16, "NAT64"))
    }
    // RFC 5214, under any prefix
    if bytes[8] & 0xfc == 0, bytes[9] == 0, bytes[10] == 0x5e, bytes[11] == 0xfe {
      found.append(part(12..<16, "ISATAP"))
    }
    return found
  }

  private static let zero = InternetAddress("::")!
  private static let mappedPrefix = InternetAddress("::ffff:0:0")!
  private static let translatedPrefix = InternetAddress("::ffff:0:0:0")!
  private static let prefix6to4 = InternetAddress("2002::")!
  private static let teredoPrefix = InternetAddress("2001::")!
  private static let translationPrefix = InternetAddress("64:ff9b::")!
  private static let localTranslationPrefix = InternetAddress("64:ff9b:1::")!
}
