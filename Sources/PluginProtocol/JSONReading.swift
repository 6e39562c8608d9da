import StrictJSON

// Errors name the member and the place. Nothing is allocated for them unless they are thrown.
extension JSONValue {
  package func need(_ name: String) throws(JSONError) -> JSONValue {
    guard kind == .object else { throw error("an object is needed, not \(kind.article)") }
    guard let value = self[name] else { throw error("the member \"\(name)\" is missing") }
    return value
  }

  package func needObject(_ name: String) throws(JSONError) {
    guard kind == .object else { throw wrongKind(name, "an object") }
  }

  package func needString(_ name: String, bytes limit: Int) throws(JSONError) -> String {
    guard let text = string else { throw wrongKind(name, "a string") }
    guard text.utf8.count <= limit else {
      throw error("\"\(name)\" has \(text.utf8.count) bytes; at most \(limit) are allowed")
    }
    return text
  }

  package func needBoolean(_ name: String) throws(JSONError) -> Bool {
    guard let flag = boolean else { throw wrongKind(name, "a boolean") }
    return flag
  }

  package func needInteger(_ name: String, in range: ClosedRange<Int64>) throws(JSONError) -> Int64
  {
    guard kind == .number else { throw wrongKind(name, "an integer") }
    guard let number = int64 else { throw error("\"\(name)\" is not an integer that fits") }
    guard range.contains(number) else {
      throw error(
        "\"\(name)\" is \(number); it must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package func needElements(_ name: String, atMost limit: Int) throws(JSONError) -> [JSONValue] {
    guard let values = elements else { throw wrongKind(name, "an array") }
    guard values.count <= limit else {
      throw error("\"\(name)\" has \(values.count) elements; at most \(limit) are allowed")
    }
    return values
  }

  package func needCase<Value: RawRepresentable & CaseIterable>(
    _ name: String, of type: Value.Type
  ) throws(JSONError) -> Value where Value.RawValue == String {
    guard let text = string else { throw wrongKind(name, "a string") }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("\"\(name)\" has an unknown value; known are \(known)")
    }
    return value
  }

  package func identifier() throws(JSONError) -> Int64 {
    try need("id").needInteger("id", in: 0...ProtocolLimits.maximumIdentifier)
  }

  package func checkVersion() throws(JSONError) {
    guard kind == .object else { throw error("a message is an object, not \(kind.article)") }
    guard try need("jsonrpc").isString("2.0") else {
      throw error(atKey: "jsonrpc", "\"jsonrpc\" must be the string \"2.0\"")
    }
  }

  private func wrongKind(_ name: String, _ needed: String) -> JSONError {
    error("\"\(name)\" must be \(needed), not \(kind.article)")
  }
}

extension JSONValue.Kind {
  package var article: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension ProtocolError {
  /// An error in a line that could not be read as JSON: the excerpt begins at the first bad byte.
  package init(_ error: JSONError, in line: [UInt8]) {
    self.init(
      message: "byte \(error.offset): \(error.message)",
      excerpt: Self.excerpt(of: line[min(max(error.offset, 0), line.count)...]))
  }

  /// An error in a message that is JSON but not of the protocol. Its bytes can hold the user's
  /// text, and the place and the member say enough, so there is no excerpt.
  package init(_ error: JSONError) {
    self.init(message: "byte \(error.offset): \(error.message)")
  }

  /// The first bytes, with everything but printable ASCII escaped.
  package static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes.prefix(64) {
      let piece: String
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""):
        piece = "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: piece = String(UnicodeScalar(byte))
      default: piece = "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      if text.utf8.count + piece.utf8.count > 64 { break }
      text += piece
    }
    return text
  }
}
