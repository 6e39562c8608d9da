/// Writes one compact line of JSON: no spaces, keys in the order given, control characters
/// escaped, so that the result can be sent or logged as a line of its own.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init() {}

  public init(reservingCapacity count: Int) { bytes.reserveCapacity(count) }

  public var string: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  public mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func value(_ text: String) {
    separate()
    appendQuoted(text)
  }

  public mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  public mutating func value(_ number: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// A real number. What JSON cannot say (infinity, not a number) becomes null.
  public mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// A value of another document, as it was written there but on one line.
  public mutating func value(copying value: JSONValue) {
    switch value.kind {
    case .null: null()
    case .bool: self.value(value.boolean ?? false)
    case .string: self.value(value.string ?? "")
    case .number:
      separate()
      bytes.append(contentsOf: value.source)
    case .array:
      beginArray()
      for element in value.elements ?? [] { self.value(copying: element) }
      endArray()
    case .object:
      beginObject()
      for (name, member) in value.members ?? [] {
        key(name)
        self.value(copying: member)
      }
      endObject()
    }
  }

  public mutating func member(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  public mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  public mutating func member(_ name: String, _ number: some FixedWidthInteger) {
    key(name)
    value(number)
  }

  public mutating func member(_ name: String, _ number: Double) {
    key(name)
    value(number)
  }

  /// A member that is left out when there is nothing to say: absent is not null.
  public mutating func member(_ name: String, ifPresent text: String?) {
    if let text { member(name, text) }
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // What needs no escape is copied in runs: a message is mostly text, and on the key path.
    text.withUTF8 { utf8 in
      var start = 0
      for index in 0..<utf8.count {
        let byte = unsafe utf8[index]
        if byte >= 0x20 && byte != 0x22 && byte != 0x5C && byte != 0x7F { continue }
        unsafe bytes.append(contentsOf: utf8[start..<index])
        appendEscaped(byte)
        start = index + 1
      }
      unsafe bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : UInt8(ascii: "a") + value - 10
  }
}

extension String {
  /// The beginning of a foreign text as messages show it: printable ASCII, all else escaped.
  var shownInMessage: String {
    var result = ""
    for scalar in unicodeScalars.prefix(64) {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case " "..<"\u{7F}": result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }
}
