/// Cuts the bytes of a connection into messages: two bytes of length before each (RFC 1035, 4.2.2).
public struct NameFramer: Sendable {
  /// A message longer than any question: nothing after it can be read.
  public struct Overrun: Error, Equatable {}

  private var bytes: [UInt8] = []

  public init() {}

  /// What waits for its rest, in bytes.
  public var pendingSize: Int { bytes.count }

  public mutating func append(_ more: [UInt8]) { bytes += more }

  /// The next whole message, or nil when it has not come yet.
  public mutating func next() throws(Overrun) -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    let length = Int(bytes[0]) << 8 | Int(bytes[1])
    guard length <= NameQuery.maximumSize else { throw Overrun() }
    guard bytes.count >= 2 + length else { return nil }
    let message = Array(bytes[2..<2 + length])
    bytes.removeFirst(2 + length)
    return message
  }

  /// A message as it is sent.
  public static func frame(_ message: [UInt8]) -> [UInt8] {
    [UInt8(message.count >> 8), UInt8(message.count & 0xff)] + message
  }
}
