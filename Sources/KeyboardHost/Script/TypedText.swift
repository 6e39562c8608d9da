/// Cuts a stream of bytes into user-perceived characters, each of which is typed as one.
///
/// A cluster may go on in the next bytes (a flag's second half, a combining mark), so the last
/// one is held back until it is certain to be whole.
public struct TypedText {
  private var pending: [UInt8] = []
  private var offset = 0

  /// What is not text, and where it stands, counted in bytes from 0.
  public struct Fault: Error, Equatable, CustomStringConvertible {
    public var offset: Int
    public var message: String
    public var description: String { "byte \(offset): \(message)" }
  }

  public init() {}

  /// Takes bytes in and appends the characters that are whole to `whole`.
  /// - Throws: ``Fault``; the characters before it stand in `whole`.
  public mutating func append(
    _ bytes: [UInt8], isLast: Bool, into whole: inout [String]
  ) throws(Fault) {
    pending.append(contentsOf: bytes)
    let valid = Self.validPrefix(of: pending, isLast: isLast)
    var characters = Array(String(decoding: pending[..<valid.length], as: UTF8.self))
    if !isLast, !valid.isFaulty, let last = characters.last, last != "\n" {
      characters.removeLast()
    }
    var taken = 0
    defer {
      pending.removeFirst(taken)
      offset += taken
    }
    for character in characters {
      if let scalar = character.unicodeScalars.first, Self.isControl(scalar) {
        throw Fault(
          offset: offset + taken,
          message: "the control character \(Self.name(of: scalar)) is not text")
      }
      whole.append(String(character))
      taken += character.utf8.count
    }
    if valid.isFaulty { throw Fault(offset: offset + taken, message: "not UTF-8") }
  }

  /// Control characters that nobody types; the tab and line ends are typed.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0: true
    default: false
    }
  }

  /// A scalar as the Unicode Standard writes it: `U+001B`.
  static func name(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// How many bytes are whole scalars, and whether what follows can never become one.
  private static func validPrefix(
    of bytes: [UInt8], isLast: Bool
  ) -> (length: Int, isFaulty: Bool) {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      let length: Int
      switch lead {
      case 0..<0x80: length = 1
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF: length = 3
      case 0xF0...0xF4: length = 4
      default: return (index, true)
      }
      let end = min(index + length, bytes.count)
      for position in index + 1..<max(end, index + 1) where bytes[position] & 0xC0 != 0x80 {
        return (index, true)
      }
      if end - index >= 2,
        String(validating: bytes[index..<end] + filler(lead, end - index), as: UTF8.self) == nil
      {
        return (index, true)
      }
      guard index + length <= bytes.count else { return (index, isLast) }
      index += length
    }
    return (index, false)
  }

  /// Continuation bytes that make a cut scalar whole, to see whether it can become valid.
  private static func filler(_ lead: UInt8, _ count: Int) -> [UInt8] {
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return Array(repeating: 0x80, count: max(0, length - count))
  }
}
