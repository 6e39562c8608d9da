/// One question for a name's addresses, as a stub resolver asks it (RFC 1035, RFC 6891). Read
/// strictly: what a stub resolver does not send is an error.
public struct NameQuery: Sendable, Equatable {
  public enum Kind: UInt16, Sendable {
    /// IPv4 addresses.
    case a = 1
    /// IPv6 addresses.
    case aaaa = 28
  }

  /// Why there is no answer with addresses. The raw value is the RCODE of the reply.
  public enum Refusal: UInt8, Sendable {
    case formatError = 1
    /// A kind of question that is not served.
    case notImplemented = 4
    /// A name that no host can have.
    case noSuchName = 3
  }

  public struct Fault: Error, Equatable, Sendable {
    public var refusal: Refusal
    /// The question's number, when that much could be read.
    public var identifier: UInt16?
  }

  public let identifier: UInt16
  /// Labels of letters, digits and hyphens, with dots between them; in lower case.
  public let name: String
  public let kind: Kind
  /// The question section, as it was sent: resolvers compare it.
  let question: [UInt8]

  /// The longest question that is read, in bytes.
  public static let maximumSize = 512

  public init(parsing bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 2 else { throw Fault(refusal: .formatError, identifier: nil) }
    let identifier = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    func fault(_ refusal: Refusal) -> Fault { Fault(refusal: refusal, identifier: identifier) }
    guard bytes.count >= 12, bytes.count <= Self.maximumSize else { throw fault(.formatError) }
    func number(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    // QR must be 0; TC and the reserved bit too. AA, RA, AD and CD say nothing in a question.
    guard bytes[2] & 0x82 == 0, bytes[3] & 0x4f == 0 else { throw fault(.formatError) }
    guard bytes[2] & 0x78 == 0 else { throw fault(.notImplemented) }
    let counts = [4, 6, 8, 10].map(number)
    guard counts[0] == 1, counts[1] == 0, counts[2] == 0, counts[3] <= 1 else {
      throw fault(.formatError)
    }
    var labels: [[UInt8]] = []
    var offset = 12
    var isHostName = true
    while true {
      guard offset < bytes.count else { throw fault(.formatError) }
      let length = Int(bytes[offset])
      offset += 1
      if length == 0 { break }
      // More is a pointer, which a question has no use for.
      guard length <= 63, offset + length <= bytes.count, offset + length - 12 <= 254 else {
        throw fault(.formatError)
      }
      let label = Array(bytes[offset..<offset + length])
      isHostName = isHostName && Self.isHostLabel(label)
      labels.append(label.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 })
      offset += length
    }
    guard offset + 4 <= bytes.count else { throw fault(.formatError) }
    let kind = UInt16(number(offset))
    let isInternet = number(offset + 2) == 1
    offset += 4
    question = Array(bytes[12..<offset])
    if counts[3] == 1 {
      // OPT: the root's name, 41, any size and flags, and options up to the end.
      guard offset + 11 <= bytes.count, bytes[offset] == 0, number(offset + 1) == 41 else {
        throw fault(.formatError)
      }
      offset += 11 + number(offset + 9)
    }
    guard offset == bytes.count else { throw fault(.formatError) }
    guard isInternet, let kind = Kind(rawValue: kind) else { throw fault(.notImplemented) }
    // A number in place of a name is what inet_aton(3) would read, in any of its notations.
    guard isHostName, let last = labels.last, !Self.isNumber(last) else {
      throw fault(.noSuchName)
    }
    self.identifier = identifier
    self.kind = kind
    name = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
  }

  private static func isHostLabel(_ label: [UInt8]) -> Bool {
    label.first != 0x2d && label.last != 0x2d
      && label.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
        default: false
        }
      }
  }

  private static func isNumber(_ label: [UInt8]) -> Bool {
    if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    guard label.starts(with: Array("0x".utf8)) else { return false }
    return label.dropFirst(2).allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
  }
}
