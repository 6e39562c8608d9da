/// Fills the node table of a document.
struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  var nodes: [JSONNode] = []
  private var position = 0

  init(bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    nodes.reserveCapacity(min(64, bytes.count / 4 + 1))
  }

  mutating func parseText() throws(JSONError) {
    if bytes.count >= 2 {
      if bytes[0] == 0xEF && bytes[1] == 0xBB {
        throw fault("a byte order mark stands before the text; it is not allowed", at: 0)
      }
      if (bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF) {
        throw fault("the text is UTF-16; UTF-8 is needed", at: 0)
      }
    }
    skipSpace()
    guard position < bytes.count else { throw fault("the text is empty", at: position) }
    try parseValue(depth: 0)
    skipSpace()
    guard position == bytes.count else {
      throw fault("something stands after the value", at: position)
    }
  }

  func fault(_ message: String, at offset: Int) -> JSONError {
    JSONError(message, at: offset, in: bytes)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func parseValue(depth: Int) throws(JSONError) {
    guard position < bytes.count else {
      throw fault("the text ends where a value is needed", at: position)
    }
    switch bytes[position] {
    case UInt8(ascii: "{"): try parseObject(depth: depth)
    case UInt8(ascii: "["): try parseArray(depth: depth)
    case UInt8(ascii: "\""): try parseString()
    case UInt8(ascii: "t"): try parseWord("true", kind: .true)
    case UInt8(ascii: "f"): try parseWord("false", kind: .false)
    case UInt8(ascii: "n"): try parseWord("null", kind: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
    case UInt8(ascii: "/"): throw fault("comments are not part of JSON", at: position)
    case UInt8(ascii: "'"): throw fault("strings stand in double quotes", at: position)
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","):
      throw fault("a value is missing here", at: position)
    default: throw fault("no value begins with \(shown(bytes[position]))", at: position)
    }
  }

  private func shown(_ byte: UInt8) -> String {
    byte > 0x20 && byte < 0x7F
      ? "'\(Character(UnicodeScalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
  }

  private mutating func open(_ kind: JSONNode.Kind, depth: Int) throws(JSONError) -> Int {
    guard depth < maximumDepth else {
      throw fault("more than \(maximumDepth) levels of nesting", at: position)
    }
    nodes.append(JSONNode(kind: kind, start: Int32(position), end: 0, next: 0))
    position += 1
    skipSpace()
    return nodes.count - 1
  }

  private mutating func close(_ index: Int) {
    position += 1
    nodes[index].end = Int32(position)
    nodes[index].next = Int32(nodes.count)
  }

  private mutating func parseArray(depth: Int) throws(JSONError) {
    let index = try open(.array, depth: depth)
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return close(index) }
    while true {
      try parseValue(depth: depth + 1)
      skipSpace()
      guard position < bytes.count else { throw fault("an array is not ended", at: position) }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
          throw fault("a comma stands before the end of the array", at: position)
        }
      case UInt8(ascii: "]"): return close(index)
      case UInt8(ascii: "/"): throw fault("comments are not part of JSON", at: position)
      default: throw fault("a comma or ']' is needed", at: position)
      }
    }
  }

  private mutating func parseObject(depth: Int) throws(JSONError) {
    let index = try open(.object, depth: depth)
    if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return close(index) }
    var members = 0
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw fault(
          position < bytes.count ? "a key in double quotes is needed" : "an object is not ended",
          at: position)
      }
      try parseString()
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw fault("a colon is needed after the key", at: position)
      }
      position += 1
      skipSpace()
      try parseValue(depth: depth + 1)
      members += 1
      skipSpace()
      guard position < bytes.count else { throw fault("an object is not ended", at: position) }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") {
          throw fault("a comma stands before the end of the object", at: position)
        }
      case UInt8(ascii: "}"):
        close(index)
        return try refuseDuplicates(in: index, members: members)
      case UInt8(ascii: "/"): throw fault("comments are not part of JSON", at: position)
      default: throw fault("a comma or '}' is needed", at: position)
      }
    }
  }

  /// Keys are compared when decoded: `"a"` and `"\u0061"` are the same key. So are two spellings
  /// that Unicode takes for the same text (é as one scalar or as two): they are equal as strings,
  /// so that one would hide the other from whoever makes a dictionary of them. Letters that only
  /// look alike are different keys.
  private func refuseDuplicates(in object: Int, members: Int) throws(JSONError) {
    guard members > 1 else { return }
    var plain: [JSONNode] = []
    plain.reserveCapacity(members)
    var child = object + 1
    var isPlain = true
    while child < Int(nodes[object].next) {
      plain.append(nodes[child])
      isPlain = isPlain && nodes[child].kind == .plainString && isASCII(nodes[child])
      child = Int(nodes[child + 1].next)
    }
    if members <= 12 && isPlain {
      for later in 1..<members {
        for earlier in 0..<later where sameBytes(plain[later], plain[earlier]) {
          throw duplicate(plain[later])
        }
      }
      return
    }
    var seen = Set<String>(minimumCapacity: members)
    for key in plain {
      let name = String(decoding: key.decodedBytes(in: bytes), as: UTF8.self)
      guard seen.insert(name).inserted else { throw duplicate(key) }
    }
  }

  private func isASCII(_ node: JSONNode) -> Bool {
    bytes[Int(node.start)..<Int(node.end)].allSatisfy { $0 < 0x80 }
  }

  private func sameBytes(_ one: JSONNode, _ other: JSONNode) -> Bool {
    let count = one.end - one.start
    guard other.end - other.start == count else { return false }
    for offset in 0..<Int(count)
    where bytes[Int(one.start) + offset] != bytes[Int(other.start) + offset] { return false }
    return true
  }

  private func duplicate(_ key: JSONNode) -> JSONError {
    let name = String(decoding: key.decodedBytes(in: bytes), as: UTF8.self).shownInMessage
    return fault("the key \"\(name)\" stands twice", at: Int(key.start) - 1)
  }

  private mutating func parseWord(_ word: StaticString, kind: JSONNode.Kind) throws(JSONError) {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      let expected = unsafe word.utf8Start[offset]
      guard start + offset < bytes.count, bytes[start + offset] == expected else {
        throw fault("only true, false and null may stand without quotes", at: start)
      }
    }
    position = start + word.utf8CodeUnitCount
    append(kind, from: start)
  }

  private mutating func append(_ kind: JSONNode.Kind, from start: Int) {
    nodes.append(
      JSONNode(
        kind: kind, start: Int32(start), end: Int32(position), next: Int32(nodes.count + 1)))
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 { position += 1 }
    return position - start
  }

  private mutating func parseNumber() throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    let digits = skipDigits()
    guard digits > 0 else { throw fault("a digit is needed", at: position) }
    if digits > 1, bytes[first] == UInt8(ascii: "0") {
      throw fault("a number may not begin with 0", at: first)
    }
    var isInteger = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard skipDigits() > 0 else { throw fault("a digit is needed after the point", at: position) }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      guard skipDigits() > 0 else { throw fault("a digit is needed in the exponent", at: position) }
    }
    try refuseUnfit(start: start, isInteger: isInteger)
    append(.number, from: start)
  }

  /// A number that no reader could take exactly (an integer) or at all (a real) is refused
  /// here, so that it cannot be ignored by one reader and cut short by another.
  private func refuseUnfit(start: Int, isInteger: Bool) throws(JSONError) {
    let length = position - start
    if isInteger {
      if length <= 18 { return }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      if Int64(text) == nil && UInt64(text) == nil {
        throw fault("the integer does not fit into 64 bits", at: start)
      }
    } else {
      guard length <= 64 else { throw fault("the number has too many digits", at: start) }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      guard let value = Double(text), value.isFinite else {
        throw fault("the number is too large", at: start)
      }
    }
  }

  private mutating func parseString() throws(JSONError) {
    let opening = position
    position += 1
    let start = position
    var kind = JSONNode.Kind.plainString
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        nodes.append(
          JSONNode(
            kind: kind, start: Int32(start), end: Int32(position), next: Int32(nodes.count + 1)))
        position += 1
        return
      case UInt8(ascii: "\\"):
        kind = .escapedString
        try parseEscape()
      case 0..<0x20:
        throw fault("control characters stand escaped in a string", at: position)
      case 0x20..<0x80:
        // A run in a local variable: most of a message is plain text.
        var next = position + 1
        while next < bytes.count, bytes[next] >= 0x20, bytes[next] < 0x80, bytes[next] != 0x22,
          bytes[next] != 0x5C
        {
          next += 1
        }
        position = next
      default:
        try parseMultibyte(byte)
      }
    }
    throw fault("a string is not ended", at: opening)
  }

  private mutating func parseEscape() throws(JSONError) {
    guard position + 1 < bytes.count else { throw fault("a string is not ended", at: position) }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      let unit = try hexUnit(at: position)
      if unit >= 0xDC00 && unit < 0xE000 { throw fault("a lone surrogate", at: position) }
      guard unit >= 0xD800 && unit < 0xDC00 else {
        position += 6
        return
      }
      guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
        bytes[position + 7] == UInt8(ascii: "u")
      else { throw fault("a lone surrogate", at: position) }
      let low = try hexUnit(at: position + 6)
      guard low >= 0xDC00 && low < 0xE000 else { throw fault("a lone surrogate", at: position) }
      position += 12
    default: throw fault("no such escape", at: position)
    }
  }

  private func hexUnit(at escape: Int) throws(JSONError) -> UInt32 {
    guard let unit = hexDigits(bytes, from: escape + 2) else {
      throw fault("four hexadecimal digits are needed", at: escape)
    }
    return unit
  }

  /// One scalar of more than a byte, by table 3-7 of the Unicode Standard.
  private mutating func parseMultibyte(_ lead: UInt8) throws(JSONError) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw fault("not UTF-8", at: position)
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
      throw fault("not UTF-8", at: position)
    }
    for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 {
      throw fault("not UTF-8", at: position)
    }
    position += length
  }
}

/// The value of four hexadecimal digits.
func hexDigits(_ bytes: [UInt8], from start: Int) -> UInt32? {
  guard start + 4 <= bytes.count else { return nil }
  var value: UInt32 = 0
  for byte in bytes[start..<start + 4] {
    let digit: UInt8
    switch byte {
    case 0x30...0x39: digit = byte - 0x30
    case 0x41...0x46: digit = byte - 0x41 + 10
    case 0x61...0x66: digit = byte - 0x61 + 10
    default: return nil
    }
    value = value << 4 | UInt32(digit)
  }
  return value
}
