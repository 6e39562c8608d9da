/// The kernel's words for what a socket call was given.
enum SocketNames {
  /// The kernel reads an int: the upper half of the argument is not looked at.
  static func family(_ argument: UInt64) -> String {
    let number = Int(Int32(truncatingIfNeeded: argument))
    return number >= 0 && number < families.count && !families[number].isEmpty
      ? "AF_\(families[number])" : "\(number)"
  }

  static func type(_ argument: UInt64) -> String {
    let number = UInt32(truncatingIfNeeded: argument)
    let kind = number & 0xf
    let names = ["", "STREAM", "DGRAM", "RAW", "RDM", "SEQPACKET", "DCCP"]
    var text = kind > 0 && Int(kind) < names.count ? "SOCK_\(names[Int(kind)])" : "\(kind)"
    if kind == 10 { text = "SOCK_PACKET" }
    if number & 0o4000 != 0 { text += "|SOCK_NONBLOCK" }
    if number & 0o2000000 != 0 { text += "|SOCK_CLOEXEC" }
    return text
  }

  /// A struct sockaddr in words. Fields of the internet families are in network order.
  static func address(_ bytes: [UInt8]) -> String {
    guard bytes.count >= 2 else { return "an address of \(bytes.count) bytes" }
    let number = UInt64(bytes[0]) | UInt64(bytes[1]) << 8
    switch number {
    case 1:
      let name = bytes.dropFirst(2)
      let isAbstract = name.first == 0
      let text = name.drop { $0 == 0 }.prefix { $0 != 0 }
      let shown = String(
        decoding: text.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
      return "AF_UNIX \(isAbstract ? "@" : "")\(shown)"
    case 2 where bytes.count >= 8:
      let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
      return "AF_INET \(bytes[4]).\(bytes[5]).\(bytes[6]).\(bytes[7]) port \(port)"
    case 10 where bytes.count >= 24:
      let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
      let groups = (0..<8).map { index in
        String(UInt16(bytes[8 + 2 * index]) << 8 | UInt16(bytes[9 + 2 * index]), radix: 16)
      }
      return "AF_INET6 \(groups.joined(separator: ":")) port \(port)"
    default:
      return family(number)
    }
  }

  /// linux/socket.h, from 0.
  private static let families = [
    "UNSPEC", "UNIX", "INET", "AX25", "IPX", "APPLETALK", "NETROM", "BRIDGE", "ATMPVC", "X25",
    "INET6", "ROSE", "DECnet", "NETBEUI", "SECURITY", "KEY", "NETLINK", "PACKET", "ASH", "ECONET",
    "ATMSVC", "RDS", "SNA", "IRDA", "PPPOX", "WANPIPE", "LLC", "IB", "MPLS", "CAN", "TIPC",
    "BLUETOOTH", "IUCV", "RXRPC", "ISDN", "PHONET", "IEEE802154", "CAIF", "ALG", "NFC", "VSOCK",
    "KCM", "QIPCRTR", "SMC", "XDP", "MCTP",
  ]
}
