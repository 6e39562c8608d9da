/// A value of a ``JSONDocument``: a view, cheap to copy, that knows its place.
public struct JSONValue: Sendable {
  public enum Kind: String, Sendable { case null, bool, number, string, array, object }

  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }

  public var kind: Kind {
    switch node.kind {
    case .null: .null
    case .true, .false: .bool
    case .number: .number
    case .plainString, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  public var isNull: Bool { node.kind == .null }

  /// The value of `true` or `false`; nil of any other kind. A number or a word is no boolean.
  public var boolean: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The decoded string; nil of any other kind.
  public var string: String? {
    switch node.kind {
    case .plainString:
      String(decoding: document.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
    case .escapedString: String(decoding: node.decodedBytes(in: document.bytes), as: UTF8.self)
    default: nil
    }
  }

  /// A number as it was written; nil of any other kind.
  public var numberText: String? {
    guard node.kind == .number else { return nil }
    return String(decoding: document.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
  }

  /// The exact value of an integer written without fraction or exponent; nil if it does not fit.
  public var int64: Int64? { integer() }

  /// The exact value of an integer written without fraction or exponent; nil if it does not fit.
  public var uint64: UInt64? { integer() }

  private func integer<Value: FixedWidthInteger>() -> Value? {
    guard node.kind == .number else { return nil }
    var value: Value = 0
    var isNegative = false
    for byte in document.bytes[Int(node.start)..<Int(node.end)] {
      if byte == UInt8(ascii: "-") {
        guard Value.isSigned else { return nil }
        isNegative = true
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let product = value.multipliedReportingOverflow(by: 10)
      let digit = Value(truncatingIfNeeded: byte - 0x30)
      let sum =
        isNegative
        ? product.partialValue.subtractingReportingOverflow(digit)
        : product.partialValue.addingReportingOverflow(digit)
      guard !product.overflow, !sum.overflow else { return nil }
      value = sum.partialValue
    }
    return value
  }

  /// The nearest double of a number; always finite. Nil of any other kind.
  public var double: Double? {
    guard let text = numberText, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The values of an array, in order; nil of any other kind.
  public var elements: [JSONValue]? {
    guard node.kind == .array else { return nil }
    var result: [JSONValue] = []
    var child = index + 1
    while child < Int(node.next) {
      result.append(JSONValue(document: document, index: child))
      child = Int(document.nodes[child].next)
    }
    return result
  }

  /// The members of an object, in the order they are written; nil of any other kind.
  public var members: [(key: String, value: JSONValue)]? {
    guard node.kind == .object else { return nil }
    var result: [(key: String, value: JSONValue)] = []
    var child = index + 1
    while child < Int(node.next) {
      let value = JSONValue(document: document, index: child + 1)
      result.append((JSONValue(document: document, index: child).string ?? "", value))
      child = Int(document.nodes[child + 1].next)
    }
    return result
  }

  /// The member of an object with just these bytes as its key.
  public subscript(_ key: String) -> JSONValue? {
    guard node.kind == .object else { return nil }
    var child = index + 1
    while child < Int(node.next) {
      if document.nodes[child].equals(key, in: document.bytes) {
        return JSONValue(document: document, index: child + 1)
      }
      child = Int(document.nodes[child + 1].next)
    }
    return nil
  }

  /// Whether the value is the string with just these bytes.
  public func isString(_ text: String) -> Bool {
    switch node.kind {
    case .plainString, .escapedString: node.equals(text, in: document.bytes)
    default: false
    }
  }

  /// The bytes of the value as it was written; of a string without its quotes.
  public var source: ArraySlice<UInt8> { document.bytes[Int(node.start)..<Int(node.end)] }

  /// Where the value begins, counted from 1, the column in bytes.
  public var location: (line: Int, column: Int) {
    let place = error("")
    return (place.line, place.column)
  }

  /// An error about this value, with its place.
  public func error(_ message: String) -> JSONError {
    let quote = kind == .string ? 1 : 0
    return JSONError(message, at: Int(node.start) - quote, in: document.bytes)
  }

  /// An error about the key of this object's member, with the key's place.
  public func error(atKey key: String, _ message: String) -> JSONError {
    guard let value = self[key] else { return error(message) }
    return JSONValue(document: document, index: value.index - 1).error(message)
  }
}

extension JSONNode {
  /// The bytes of a string with its escapes resolved. The parser has proved them right.
  func decodedBytes(in bytes: [UInt8]) -> [UInt8] {
    let raw = bytes[Int(start)..<Int(end)]
    guard kind == .escapedString else { return Array(raw) }
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var position = raw.startIndex
    while position < raw.endIndex {
      guard raw[position] == UInt8(ascii: "\\") else {
        result.append(raw[position])
        position += 1
        continue
      }
      let letter = raw[position + 1]
      position += 2
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var value = hexDigits(bytes, from: position) ?? 0xFFFD
        position += 4
        if value >= 0xD800 && value < 0xDC00 {
          let low = hexDigits(bytes, from: position + 2) ?? 0xDC00
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
          position += 6
        }
        result.append(contentsOf: String(UnicodeScalar(value) ?? "\u{FFFD}").utf8)
      default: result.append(letter)
      }
    }
    return result
  }

  func equals(_ text: String, in bytes: [UInt8]) -> Bool {
    let utf8 = text.utf8
    if kind == .escapedString { return decodedBytes(in: bytes).elementsEqual(utf8) }
    return utf8.count == Int(end - start) && bytes[Int(start)..<Int(end)].elementsEqual(utf8)
  }
}
