/// Reads the XML form. This is not an XML reader: it knows the elements of property lists and
/// nothing else, no entities but the five of XML, no external documents, no processing
/// instructions after the first line.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  private var values = 0

  init(bytes: [UInt8]) { scanner = XMLScanner(bytes: bytes) }

  mutating func read() throws(PropertyListError) -> PropertyList {
    try scanner.skipProlog()
    guard case .start("plist", let isEmpty) = try scanner.nextTag(), !isEmpty else {
      throw scanner.error("it is neither an XML nor a binary property list")
    }
    let first = try scanner.nextTag()
    let root = try value(first, depth: 1)
    guard case .end("plist") = try scanner.nextTag() else {
      throw scanner.error("there is more than one value in <plist>")
    }
    try scanner.expectEnd()
    return root
  }

  private mutating func value(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListError) -> PropertyList {
    guard case .start(let name, let isEmpty) = tag else {
      throw scanner.error("a value is missing before \(tag)")
    }
    guard depth <= PropertyList.maximumDepth else {
      throw scanner.error("it is nested deeper than \(PropertyList.maximumDepth) levels")
    }
    values += 1
    guard values <= PropertyList.maximumValues else {
      throw scanner.error("it holds more than \(PropertyList.maximumValues) values")
    }
    switch name {
    case "dict": return .dictionary(isEmpty ? [] : try entries(depth: depth))
    case "array":
      var elements: [PropertyList] = []
      if isEmpty { return .array([]) }
      while true {
        let next = try scanner.nextTag()
        if next == .end("array") { return .array(elements) }
        elements.append(try value(next, depth: depth + 1))
      }
    case "true", "false":
      if !isEmpty, try !scanner.text(of: name).allSatisfy({ $0.isWhitespace }) {
        throw scanner.error("<\(name)> holds a text")
      }
      return .boolean(name == "true")
    case "string": return .string(isEmpty ? "" : try scanner.text(of: name))
    case "integer": return .integer(try integer(isEmpty ? "" : try scanner.text(of: name)))
    case "real":
      let text = isEmpty ? "" : trimmed(try scanner.text(of: name))
      guard isDecimal(text), let number = Double(text), number.isFinite else {
        throw scanner.error("<real> holds \(quoted(text)), which is not a finite number")
      }
      return .real(number)
    case "date":
      let text = isEmpty ? "" : trimmed(try scanner.text(of: name))
      guard let date = PropertyListDate.seconds(text) else {
        throw scanner.error("<date> holds \(quoted(text)), which is not YYYY-MM-DDTHH:MM:SSZ")
      }
      return .date(date)
    case "data":
      let text = isEmpty ? "" : try scanner.text(of: name)
      guard let data = Base64.decode(text) else {
        throw scanner.error("<data> does not hold base64")
      }
      return .data(data)
    case "key": throw scanner.error("a <key> stands outside a dictionary, or two in a row")
    default: throw scanner.error("<\(quoted(name))> is no element of a property list")
    }
  }

  private mutating func entries(depth: Int) throws(PropertyListError) -> [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = []
    var seen: Set<String> = []
    while true {
      let tag = try scanner.nextTag()
      if tag == .end("dict") { return entries }
      guard case .start("key", let isEmpty) = tag else {
        throw scanner.error("a <key> is missing before \(tag)")
      }
      let key = isEmpty ? "" : try scanner.text(of: "key")
      guard seen.insert(key).inserted else {
        throw scanner.error("the key \(quoted(key)) stands twice in a dictionary")
      }
      let next = try scanner.nextTag()
      let value = try value(next, depth: depth + 1)
      entries.append(PropertyList.Entry(key: key, value: value))
    }
  }

  private func integer(_ text: String) throws(PropertyListError) -> Int64 {
    var digits = trimmed(text)[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits = digits.dropFirst(2) }
    let number =
      digits.allSatisfy { $0.isHexDigit && $0.isASCII }
      ? Int64((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10) : nil
    guard let number else {
      throw scanner.error("<integer> holds \(quoted(text)), which is not an integer of 64 bits")
    }
    return number
  }

  private func trimmed(_ text: String) -> String {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }

  private func isDecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
  }
}
