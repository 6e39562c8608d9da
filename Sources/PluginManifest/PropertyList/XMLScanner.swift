/// The tags and texts of an XML property list, with line numbers.
struct XMLScanner {
  enum Tag: Equatable, CustomStringConvertible {
    case start(String, isEmpty: Bool)
    case end(String)

    var description: String {
      switch self {
      case .start(let name, let isEmpty): isEmpty ? "<\(quoted(name))/>" : "<\(quoted(name))>"
      case .end(let name): "</\(quoted(name))>"
      }
    }
  }

  private let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    // The byte order mark of UTF-8 says nothing and is allowed by XML.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  func error(_ message: String) -> PropertyListError {
    let newlines = bytes[..<min(index, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return PropertyListError(message, line: newlines + 1)
  }

  private func looking(at text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    return bytes.count - index >= wanted.count
      && bytes[index..<index + wanted.count].elementsEqual(wanted)
  }

  private mutating func skip(past text: StaticString) throws(PropertyListError) {
    let wanted = Array("\(text)".utf8)
    var place = index
    while place + wanted.count <= bytes.count {
      if bytes[place] == wanted[0], bytes[place..<place + wanted.count].elementsEqual(wanted) {
        index = place + wanted.count
        return
      }
      place += 1
    }
    throw error("`\(text)` is missing: the file is cut off")
  }

  private mutating func skipBlanks() {
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) { index += 1 }
  }

  /// Skips blanks and comments.
  private mutating func skipFiller() throws(PropertyListError) {
    while true {
      skipBlanks()
      guard looking(at: "<!--") else { return }
      index += 4
      try skip(past: "-->")
    }
  }

  mutating func skipProlog() throws(PropertyListError) {
    skipBlanks()
    if looking(at: "<?xml") {
      let start = index
      try skip(past: "?>")
      let declaration = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
      if declaration.contains("encoding"), !declaration.contains("utf-8") {
        throw error("its encoding is not UTF-8")
      }
    }
    try skipFiller()
    if looking(at: "<!DOCTYPE") {
      let start = index
      try skip(past: ">")
      guard !bytes[start..<index].contains(UInt8(ascii: "[")) else {
        throw error("its DOCTYPE declares something of its own, which is not allowed")
      }
    }
  }

  mutating func expectEnd() throws(PropertyListError) {
    try skipFiller()
    guard index == bytes.count else { throw error("there is something after </plist>") }
  }

  mutating func nextTag() throws(PropertyListError) -> Tag {
    try skipFiller()
    guard index < bytes.count else { throw error("the file is cut off") }
    guard bytes[index] == UInt8(ascii: "<") else {
      throw error("there is a text outside a string, or the file is no property list")
    }
    index += 1
    let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isEnd { index += 1 }
    let name = takeName()
    guard !name.isEmpty else { throw error("there is a `<` that begins no element") }
    if isEnd {
      skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else {
        throw error("</\(name) is not ended by `>`")
      }
      index += 1
      return .end(name)
    }
    try skipAttributes(of: name)
    let isEmpty = bytes[index] == UInt8(ascii: "/")
    if isEmpty { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else {
      throw error("<\(name) is not ended by `>`")
    }
    index += 1
    return .start(name, isEmpty: isEmpty)
  }

  private mutating func takeName() -> String {
    let start = index
    while index < bytes.count, index - start < 64,
      (97...122).contains(bytes[index]) || (65...90).contains(bytes[index])
        || (48...57).contains(bytes[index])
    {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Attributes say nothing in a property list but the version of <plist>.
  private mutating func skipAttributes(of name: String) throws(PropertyListError) {
    while true {
      skipBlanks()
      guard index < bytes.count else { throw error("<\(name) is cut off") }
      if bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: "/") { return }
      guard name == "plist", !takeName().isEmpty, index + 1 < bytes.count,
        bytes[index] == UInt8(ascii: "="),
        bytes[index + 1] == UInt8(ascii: "\"") || bytes[index + 1] == UInt8(ascii: "'")
      else { throw error("<\(name)> has an attribute, or is not ended by `>`") }
      let quote = bytes[index + 1]
      index += 2
      guard let end = bytes[index...].firstIndex(of: quote) else {
        throw error("<\(name)> has an attribute that is cut off")
      }
      index = end + 1
    }
  }

  /// The text up to the end tag of the element, with references resolved.
  mutating func text(of name: String) throws(PropertyListError) -> String {
    var result: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "<"):
        if looking(at: "<![CDATA[") {
          index += 9
          let start = index
          try skip(past: "]]>")
          result += bytes[start..<index - 3]
        } else {
          guard try nextTag() == .end(name) else {
            throw error("<\(name)> holds another element")
          }
          return try checked(result)
        }
      case UInt8(ascii: "&"): result += try reference()
      case 0x0d:
        // XML 1.0, 2.11: a line end is one newline.
        index += 1
        if index < bytes.count, bytes[index] == 0x0a { index += 1 }
        result.append(0x0a)
      default:
        result.append(byte)
        index += 1
      }
    }
    throw error("<\(name)> is not ended: the file is cut off")
  }

  private func checked(_ bytes: [UInt8]) throws(PropertyListError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("a text is not valid UTF-8")
    }
    // XML 1.0, 2.2: these may not stand in a document at all.
    guard bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }) else {
      throw error("a text holds a control character")
    }
    return text
  }

  private mutating func reference() throws(PropertyListError) -> [UInt8] {
    let rest = bytes[index...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw error("an `&` is not followed by a name and `;`")
    }
    let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
    index = end + 1
    switch name {
    case "lt": return Array("<".utf8)
    case "gt": return Array(">".utf8)
    case "amp": return Array("&".utf8)
    case "apos": return Array("'".utf8)
    case "quot": return Array("\"".utf8)
    default: break
    }
    let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
    guard name.hasPrefix("#"), let first = digits.first, first.isHexDigit,
      let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { throw error("&\(quoted(name)); is no character") }
    return Array(String(scalar).utf8)
  }
}
