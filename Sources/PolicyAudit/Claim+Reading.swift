import SandboxPolicy
import StrictJSON

extension Claim {
  /// Reads a claim's file.
  ///
  /// - Throws: with line and column.
  public init(parsing bytes: [UInt8], file: String) throws(PolicyError) {
    let reader = ClaimReader(file: file)
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw PolicyError(
        error.message, at: PolicyLocation(file: file, line: error.line, column: error.column))
    }
    let members = try reader.members(
      root, "a claim", required: ["name", "title"], optional: ["never", "nativeOnly", "holds"])
    name = try reader.line(members["name"], "\"name\"")
    title = try reader.line(members["title"], "\"title\"")
    holds = Set(try reader.strings(members["holds"], "\"holds\""))
    nativeOnly = false
    if let value = members["nativeOnly"] {
      guard let boolean = value.boolean else {
        throw reader.error("\"nativeOnly\" must be true or false", value)
      }
      nativeOnly = boolean
    }
    never = []
    for entry in try reader.elements(members["never"], "\"never\"") {
      never.append(try reader.pattern(entry))
    }
    guard !never.isEmpty || nativeOnly else {
      throw reader.error("the claim says nothing: \"never\" is empty", root)
    }
  }
}

private struct ClaimReader {
  let file: String

  func error(_ message: String, _ value: JSONValue) -> PolicyError {
    let (line, column) = value.location
    return PolicyError(message, at: PolicyLocation(file: file, line: line, column: column))
  }

  func members(
    _ value: JSONValue, _ what: String, required: Set<String>, optional: Set<String>
  ) throws(PolicyError) -> [String: JSONValue] {
    guard let members = value.members else { throw error("\(what) must be an object", value) }
    var result: [String: JSONValue] = [:]
    for (key, member) in members {
      guard required.contains(key) || optional.contains(key) else {
        throw error("\(what) has no such key: \"\(printable(key))\"", member)
      }
      result[key] = member
    }
    for key in required.sorted() where result[key] == nil {
      throw error("\(what) has no \"\(key)\"", value)
    }
    return result
  }

  func string(_ value: JSONValue?, _ what: String) throws(PolicyError) -> String {
    guard let value, let string = value.string else {
      throw PolicyError("\(what) must be a string", at: nil)
    }
    return string
  }

  /// A string that stands in a line of a report, and must not begin another one.
  func line(_ value: JSONValue?, _ what: String) throws(PolicyError) -> String {
    let text = try string(value, what)
    let isOneLine = !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    guard isOneLine, (1...256).contains(text.utf8.count) else {
      let message = "\(what) must be one line of 1 to 256 bytes"
      throw value.map { error(message, $0) } ?? PolicyError(message, at: nil)
    }
    return text
  }

  func elements(_ value: JSONValue?, _ what: String) throws(PolicyError) -> [JSONValue] {
    guard let value else { return [] }
    guard let elements = value.elements else { throw error("\(what) must be a list", value) }
    return elements
  }

  func strings(_ value: JSONValue?, _ what: String) throws(PolicyError) -> [String] {
    var result: [String] = []
    for element in try elements(value, what) {
      guard let string = element.string else {
        throw error("\(what) must hold strings only", element)
      }
      result.append(string)
    }
    return result
  }

  func pattern(_ value: JSONValue) throws(PolicyError) -> Claim.Pattern {
    let members = try members(
      value, "an entry of \"never\"", required: ["calls"], optional: ["when", "comment"])
    let calls = try strings(members["calls"], "\"calls\"")
    guard !calls.isEmpty else { throw error("\"calls\" is empty", value) }
    var pattern = Claim.Pattern(calls: calls)
    for entry in try elements(members["when"], "\"when\"") {
      pattern.conditions.append(try condition(entry))
    }
    return pattern
  }

  private func condition(_ value: JSONValue) throws(PolicyError) -> Claim.ArgumentPattern {
    let members = try members(
      value, "an entry of \"when\"", required: ["argument"],
      optional: ["mask", "isOneOf", "isNoneOf", "comment"])
    guard let index = members["argument"]?.uint64, index < 6 else {
      throw error("\"argument\" must be 0 to 5", members["argument"] ?? value)
    }
    var result = Claim.ArgumentPattern(index: Int(index), values: [])
    if let mask = members["mask"] { result.mask = try number(mask) }
    switch (members["isOneOf"], members["isNoneOf"]) {
    case (let list?, nil): result.values = try numbers(list)
    case (nil, let list?):
      result.values = try numbers(list)
      result.isNegated = true
    default: throw error("one of \"isOneOf\" and \"isNoneOf\" is needed", value)
    }
    if let wide = result.values.first(where: { $0 & ~result.mask != 0 }) {
      throw error(
        "\(hexadecimal(wide)) has bits outside the mask \(hexadecimal(result.mask))", value)
    }
    return result
  }

  private func numbers(_ list: JSONValue) throws(PolicyError) -> [UInt64] {
    var result: [UInt64] = []
    for element in try elements(list, "a list of values") { result.append(try number(element)) }
    if result.isEmpty { throw error("the list of values is empty", list) }
    return result
  }

  /// A number, or a string with a hexadecimal one: `"0x5412"`.
  private func number(_ value: JSONValue) throws(PolicyError) -> UInt64 {
    if let number = value.uint64 { return number }
    if let text = value.string, text.hasPrefix("0x"),
      let number = UInt64(text.dropFirst(2), radix: 16)
    {
      return number
    }
    throw error("not a whole number of 64 bits, nor one like \"0x5412\"", value)
  }
}
