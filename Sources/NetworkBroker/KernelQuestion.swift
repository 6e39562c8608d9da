import Glibc
import LinuxSystem

/// Asks the kernel by netlink, with one message and for one message. `netlink(7)`.
enum KernelQuestion {
  /// Whom a question is for. `netlink(7)`.
  enum Part: Int32 {
    /// NETLINK_ROUTE.
    case routing = 0
    /// NETLINK_SOCK_DIAG.
    case sockets = 4
  }

  /// What the kernel says to a question: the message behind its header.
  struct Answer: Equatable {
    /// `nlmsg_type`.
    var type: UInt16
    var body: [UInt8]
  }

  /// A connected netlink socket takes messages from the kernel alone, and the kernel has answered
  /// before `send` returns: nothing waits.
  /// - Parameters:
  ///   - type: the question's `nlmsg_type`.
  /// - Throws: what the kernel answers instead; `EPROTO` for what cannot be read.
  static func ask(_ part: Part, type: UInt16, body: [UInt8]) throws(Errno) -> Answer {
    let number = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      part.rawValue)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    let descriptor = FileDescriptor(owning: number)
    // struct sockaddr_nl with the port 0, the kernel's.
    let kernel = Self.bytes(UInt16(AF_NETLINK)) + [UInt8](repeating: 0, count: 10)
    let connected = unsafe kernel.withUnsafeBytes { buffer in
      unsafe Glibc.connect(
        descriptor.rawValue, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(buffer.count))
    }
    guard connected == 0 else { throw Errno(rawValue: errno) }
    let question = message(type: type, body: body)
    guard unsafe send(descriptor.rawValue, question, question.count, 0) == question.count else {
      throw Errno(rawValue: errno)
    }
    var bytes = [UInt8](repeating: 0, count: 32_768)
    let count = unsafe recv(descriptor.rawValue, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return try answer(reading: Array(bytes.prefix(count)))
  }

  /// `struct nlmsghdr` with `NLM_F_REQUEST`, and what follows it.
  static func message(type: UInt16, body: [UInt8]) -> [UInt8] {
    bytes(UInt32(headerSize + body.count)) + bytes(type) + bytes(UInt16(1)) + bytes(sequence)
      + bytes(UInt32(0)) + body
  }

  /// - Throws: the error that the message tells; `EPROTO` when it is no answer to the question.
  static func answer(reading bytes: [UInt8]) throws(Errno) -> Answer {
    guard bytes.count >= headerSize, let size = number(bytes[..<4]), size >= headerSize,
      size <= bytes.count, let type = number(bytes[4..<6]), number(bytes[8..<12]) == sequence
    else { throw .protocolError }
    let body = Array(bytes[headerSize..<Int(size)])
    guard type != errorType else {
      // The error is negative; 0 would be an acknowledgement, which nobody asked for.
      guard body.count >= 4, let value = number(body[..<4]),
        case let error = -Int64(Int32(truncatingIfNeeded: value)), error > 0, error < 4_096
      else { throw .protocolError }
      throw Errno(rawValue: Int32(error))
    }
    return Answer(type: UInt16(type), body: body)
  }

  /// `struct rtattr` with its value, filled up to four bytes.
  static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    let filling = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    return bytes(UInt16(4 + value.count)) + bytes(type) + value + filling
  }

  /// The attributes behind a fixed part; nil when their lengths are wrong.
  static func attributes(reading bytes: ArraySlice<UInt8>) -> [UInt16: [UInt8]]? {
    var found: [UInt16: [UInt8]] = [:]
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 4, let size = number(rest.prefix(2)), size >= 4, size <= rest.count,
        let type = number(rest.dropFirst(2).prefix(2))
      else { return nil }
      // The two highest bits say how the value is nested and ordered.
      found[UInt16(type) & 0x3fff] = Array(rest.dropFirst(4).prefix(Int(size) - 4))
      rest = rest.dropFirst((Int(size) + 3) & ~3)
    }
    return found
  }

  /// A number in this machine's order, which netlink uses; little-endian on all that Keyhost runs
  /// on.
  static func bytes<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The reverse, of at most four bytes.
  static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt32? {
    guard bytes.count <= 4 else { return nil }
    return bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
  }

  private static let headerSize = 16
  private static let errorType: UInt32 = 2
  /// One question a socket, so that any number does.
  private static let sequence: UInt32 = 1
}
