import CSandboxProbe
import Glibc

/// Networks, local services, and whoever listens there.
enum SocketAttacks {
  /// `socket FAMILY TYPE PROTOCOL WAY`: makes a socket and keeps it.
  static func socket(_ words: [String]) {
    let (family, type, protocolNumber) = (words.value(0), words.value(1), words.value(2))
    switch words.word(3) {
    case "ring":
      guard let ring = Ring() else { return }
      Report.result("ring socket", ring.socket(family, type, protocolNumber))
    case "every-family":
      // Each family with each type, and a few protocols that are modules of their own.
      var made = 0
      for family in UInt(0)..<64 {
        for type in UInt(1)..<11 {
          let result = Kernel.call(Kernel.Number.socket, family, type, 0)
          if result >= 0 { made += 1 }
        }
      }
      Report.result("sockets", made)
    case "pair":
      var ends: (Int32, Int32) = (-1, -1)
      let result = withUnsafeMutablePointer(to: &ends) {
        Kernel.call(Kernel.Number.socketpair, family, type, protocolNumber, UInt(bitPattern: $0))
      }
      Report.result("socketpair", result)
    case "i386":
      Report.result(
        "int 0x80 socket",
        probe_call_i386(
          359, UInt32(family & 0xffff_ffff), UInt32(type), UInt32(protocolNumber), 0, 0))
    case "socketcall":
      guard let memory = probe_low_memory(4096) else { return }
      let values = memory.bindMemory(to: UInt32.self, capacity: 3)
      values[0] = UInt32(family)
      values[1] = UInt32(type)
      values[2] = UInt32(protocolNumber)
      Report.result(
        "socketcall",
        probe_call_i386(102, 1, UInt32(UInt(bitPattern: memory)), 0, 0, 0))
    case "x32":
      Report.result(
        "x32 socket",
        Kernel.call(0x4000_0000 | Kernel.Number.socket, family, type, protocolNumber))
    default:
      Report.result(
        "socket", Kernel.call(Kernel.Number.socket, family, type, protocolNumber))
    }
  }

  /// An address: `unix:/path`, `unix:@name`, `tcp:a.b.c.d:port`, `udp:...`, `tcp6:[hex]:port`.
  struct Address {
    var family: UInt
    var type: UInt
    var bytes: [UInt8]

    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let kind = parts[0]
      let rest = String(parts[1])
      type = kind.hasPrefix("udp") || kind == "unix-datagram" ? 2 : 1
      if kind.hasPrefix("unix") {
        family = 1
        let name = Array(rest.utf8)
        bytes = [1, 0] + (name.first == UInt8(ascii: "@") ? [0] + name.dropFirst() : name + [0])
        return
      }
      guard let colon = rest.lastIndex(of: ":"),
        let port = UInt16(rest[rest.index(after: colon)...])
      else { return nil }
      let head = [UInt8(port >> 8), UInt8(port & 0xff)]
      if kind.hasSuffix("6") {
        family = 10
        // 32 hexadecimal digits, then the scope after a percent sign.
        let host = rest[..<colon].split(separator: "%")
        let digits = Array(host[0].utf8)
        guard digits.count == 32 else { return nil }
        let address = stride(from: 0, to: 32, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        let scope = host.count > 1 ? UInt8(host[1]) ?? 0 : 0
        bytes = [10, 0] + head + [0, 0, 0, 0] + address + [scope, 0, 0, 0]
      } else {
        family = 2
        let host = rest[..<colon].split(separator: ".").compactMap { UInt8($0) }
        guard host.count == 4 else { return nil }
        bytes = [2, 0] + head + host + [UInt8](repeating: 0, count: 8)
      }
    }
  }

  /// `connect WAY ADDRESS TEXT [MILLISECONDS]`: reaches somebody and tells a text, then listens for
  /// so long.
  static func connect(_ words: [String]) {
    let way = words.word(0)
    guard let address = Address(words.word(1)) else { return Report.line("no address") }
    let text = Array(words.word(2).utf8)
    let type = address.type | (way == "nonblocking" ? 0o4000 : 0)
    let ring = way == "ring" ? Ring() : nil
    if way == "ring", ring == nil { return }
    let made: Int
    switch way {
    case "ring": made = ring?.socket(address.family, type, 0) ?? -1
    case "mptcp": made = Kernel.call(Kernel.Number.socket, address.family, type, 262)
    case "high-bits": made = Kernel.call(Kernel.Number.socket, address.family | 1 << 32, type, 0)
    default: made = Kernel.call(Kernel.Number.socket, address.family, type, 0)
    }
    Report.result("socket", made)
    guard made >= 0 else { return }
    let socket = UInt(made)
    func withAddress(_ body: (UInt, UInt) -> Int) -> Int {
      address.bytes.withUnsafeBytes { body(UInt(bitPattern: $0.baseAddress), UInt($0.count)) }
    }
    let sent: Int
    switch way {
    case "ring": sent = ring?.connect(made, address.bytes) ?? -1
    case "sendto":
      sent = withAddress { place, size in
        text.withUnsafeBytes {
          Kernel.call(
            Kernel.Number.sendto, socket, UInt(bitPattern: $0.baseAddress), UInt($0.count), 0,
            place, size)
        }
      }
    case "fast-open":
      sent = withAddress { place, size in
        text.withUnsafeBytes {
          Kernel.call(
            Kernel.Number.sendto, socket, UInt(bitPattern: $0.baseAddress), UInt($0.count),
            0x2000_0000, place, size)
        }
      }
    case "sendmsg", "sendmsg-fast-open", "sendmmsg":
      sent = withAddress { place, size in sendMessage(way, socket, text, place, size) }
    case "fast-open-option":
      var on: Int32 = 1
      // TCP_FASTOPEN_CONNECT.
      let set = withUnsafePointer(to: &on) {
        Kernel.call(54, socket, 6, 30, UInt(bitPattern: $0), 4)
      }
      Report.result("setsockopt", set)
      sent = withAddress { Kernel.call(Kernel.Number.connect, socket, $0, $1) }
    default: sent = withAddress { Kernel.call(Kernel.Number.connect, socket, $0, $1) }
    }
    Report.result(way, sent)
    if way.hasPrefix("send") || way == "fast-open" { return }
    Report.result("write", Kernel.write(made, text))
    let patience = words.value(3)
    guard patience > 0 else { return }
    let end = Clock.milliseconds + Int(patience)
    var loot: [UInt8] = []
    while loot.count < 8192, Clock.milliseconds < end {
      // MSG_DONTWAIT.
      var buffer = [UInt8](repeating: 0, count: 8192)
      let got = buffer.withUnsafeMutableBytes {
        Kernel.call(45, socket, UInt(bitPattern: $0.baseAddress), UInt($0.count), 0x40)
      }
      if got > 0 {
        loot += buffer[..<got]
      } else if got == -11 {
        Kernel.sleep(milliseconds: 10)
      } else {
        break
      }
    }
    Report.loot(loot)
  }

  private static func sendMessage(
    _ way: String, _ socket: UInt, _ text: [UInt8], _ place: UInt, _ size: UInt
  ) -> Int {
    text.withUnsafeBytes { bytes in
      var vector = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
      return withUnsafeMutablePointer(to: &vector) { vector in
        // struct mmsghdr begins with struct msghdr, which has 56 bytes.
        var message: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (
          place, size, UInt(bitPattern: vector), 1, 0, 0, 0, 0
        )
        let flags: UInt = way.hasSuffix("fast-open") ? 0x2000_0000 : 0
        return withUnsafePointer(to: &message) {
          way == "sendmmsg"
            ? Kernel.call(307, socket, UInt(bitPattern: $0), 1, flags)
            : Kernel.call(Kernel.Number.sendmsg, socket, UInt(bitPattern: $0), flags)
        }
      }
    }
  }

  nonisolated(unsafe) private static var swapped: UnsafeMutableRawPointer?
  nonisolated(unsafe) private static var forbidden: [UInt8] = []

  /// `swap ALLOWED FORBIDDEN TEXT`: another thread changes the address while `connect` is judged.
  static func swap(_ words: [String]) {
    guard let good = Address(words.word(0)), let bad = Address(words.word(1)) else { return }
    let place = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    swapped = place
    forbidden = bad.bytes
    let started = probe_thread {
      guard let place = SocketAttacks.swapped else { return }
      while true {
        SocketAttacks.forbidden.withUnsafeBytes {
          place.copyMemory(from: $0.baseAddress!, byteCount: $0.count)
        }
      }
    }
    Report.result("thread", Int(started))
    let end = Clock.milliseconds + 2_000
    var turn = 0
    while Clock.milliseconds < end {
      let made = Kernel.call(Kernel.Number.socket, good.family, good.type, 0)
      guard made >= 0 else { return Report.result("socket", made) }
      good.bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      // Where there is one processor for both threads, the other one must get it now and then.
      turn += 1
      if turn % 4 == 0 { Kernel.call(24) }
      let result = Kernel.call(
        Kernel.Number.connect, UInt(made), UInt(bitPattern: place), UInt(good.bytes.count))
      if result == 0 { Kernel.write(made, Array(words.word(2).utf8)) }
      Kernel.close(made)
      if result == 0 { break }
    }
  }

  /// `listen ADDRESS`: waits for others to come.
  static func listen(_ words: [String]) {
    guard let address = Address(words.word(0)) else { return }
    let made = Kernel.call(Kernel.Number.socket, address.family, address.type, 0)
    Report.result("socket", made)
    guard made >= 0 else { return }
    let bound = address.bytes.withUnsafeBytes {
      Kernel.call(
        Kernel.Number.bind, UInt(made), UInt(bitPattern: $0.baseAddress), UInt($0.count))
    }
    Report.result("bind", bound)
    Report.result("listen", Kernel.call(Kernel.Number.listen, UInt(made), 4))
  }
}
