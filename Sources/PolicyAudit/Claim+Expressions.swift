extension Claim {
  /// Socket families by name (`linux/socket.h`).
  public static let socketFamilies: [String: UInt64] = [
    "AF_UNSPEC": 0, "AF_UNIX": 1, "AF_LOCAL": 1, "AF_INET": 2, "AF_AX25": 3, "AF_IPX": 4,
    "AF_APPLETALK": 5, "AF_NETROM": 6, "AF_X25": 9, "AF_INET6": 10, "AF_ROSE": 11, "AF_KEY": 15,
    "AF_NETLINK": 16, "AF_PACKET": 17, "AF_RDS": 21, "AF_PPPOX": 24, "AF_LLC": 26, "AF_IB": 27,
    "AF_MPLS": 28, "AF_CAN": 29, "AF_TIPC": 30, "AF_BLUETOOTH": 31, "AF_RXRPC": 33,
    "AF_ISDN": 34, "AF_PHONET": 35, "AF_IEEE802154": 36, "AF_CAIF": 37, "AF_ALG": 38, "AF_NFC": 39,
    "AF_VSOCK": 40, "AF_KCM": 41, "AF_QIPCRTR": 42, "AF_SMC": 43, "AF_XDP": 44, "AF_MCTP": 45,
  ]

  /// Understands a claim made up on the command line: `no-socket-family=AF_ALG`, or
  /// `deny:CALL`, `deny:CALL,arg1=0x5412`, `deny:CALL,arg0&0xff=3`, with 64-bit numbers; a plain
  /// argument is taken as an int of 32 bits, one with `/64` as a whole word.
  ///
  /// - Returns: nil when it is no such expression.
  /// - Throws: when it is one, and wrong.
  public init?(expression: String) throws(AuditError) {
    if let family = expression.dropping(prefix: "no-socket-family=") {
      guard let number = Self.socketFamilies[family] ?? Self.number(family) else {
        throw AuditError("\"\(family)\" is no socket family, such as AF_ALG or 38")
      }
      let condition = ArgumentPattern(index: 0, values: [number])
      self.init(
        name: expression, title: "No socket of the family \(family) can be made.",
        never: [
          Pattern(calls: ["socket", "socketpair"], conditions: [condition]),
          Pattern(calls: ["io_uring_setup"]),
        ])
      return
    }
    guard let text = expression.dropping(prefix: "deny:") else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let call = parts.first, !call.isEmpty else {
      throw AuditError("\"\(expression)\" names no call; write deny:CALL")
    }
    var conditions: [ArgumentPattern] = []
    for part in parts.dropFirst() {
      guard let condition = Self.condition(part) else {
        throw AuditError(
          "\"\(part)\" is no condition such as arg1=0x5412, arg0&0xff=3 or arg2/64=0")
      }
      conditions.append(condition)
    }
    self.init(
      name: expression, title: "The call \(text) is never let through.",
      never: [Pattern(calls: [call], conditions: conditions)])
  }

  private static func condition(_ text: String) -> ArgumentPattern? {
    guard let rest = text.dropping(prefix: "arg"), let digit = rest.first,
      let index = digit.wholeNumberValue, index < 6,
      let equals = rest.lastIndex(of: "="), let value = number(String(rest[equals...].dropFirst()))
    else { return nil }
    let middle = String(rest[rest.index(after: rest.startIndex)..<equals])
    var mask: UInt64 = 0xffff_ffff
    if middle == "/64" {
      mask = .max
    } else if let text = middle.dropping(prefix: "&") {
      guard let number = number(text) else { return nil }
      mask = number
    } else if !middle.isEmpty {
      return nil
    }
    guard value & ~mask == 0 else { return nil }
    return ArgumentPattern(index: index, mask: mask, values: [value])
  }

  private static func number(_ text: String) -> UInt64? {
    if let digits = text.dropping(prefix: "0x") { return UInt64(digits, radix: 16) }
    return text.first?.isASCII == true && text.first != "+" ? UInt64(text) : nil
  }
}

extension String {
  /// What follows a prefix, or nil when the text does not begin with it.
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
