import StrictJSON
import TerminalText

/// Reads values of a policy file, and knows its name for errors.
struct PolicyReader {
  let file: String
  private(set) var notes: [PolicyNote] = []
  /// Where each line of the file begins, in bytes. Every rule and name keeps its place, and finding
  /// one from the beginning of the file would take time in the square of its length.
  private var lineStarts: [Int] = []

  init(file: String) {
    self.file = file
  }

  /// The file's root, which must be an object.
  mutating func root(of bytes: [UInt8]) throws(PolicyError) -> JSONValue {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw PolicyError(
        error.message, at: PolicyLocation(file: file, line: error.line, column: error.column))
    }
    lineStarts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lineStarts.append(offset + 1)
    }
    guard document.root.kind == .object else {
      throw error(
        "a policy is an object, and this is \(article(document.root.kind))", at: document.root)
    }
    return document.root
  }

  func location(of value: JSONValue) -> PolicyLocation {
    // A string's source is without its quotes.
    let offset = value.source.startIndex - (value.kind == .string ? 1 : 0)
    var first = 0
    var end = lineStarts.count
    while end - first > 1 {
      let middle = (first + end) / 2
      if lineStarts[middle] <= offset { first = middle } else { end = middle }
    }
    return PolicyLocation(file: file, line: first + 1, column: offset - lineStarts[first] + 1)
  }

  func error(_ message: String, at value: JSONValue) -> PolicyError {
    PolicyError(message, at: location(of: value))
  }

  /// An error at the place of a member's key.
  func error(_ message: String, atKey key: String, of object: JSONValue) -> PolicyError {
    let place = object.error(atKey: key, message)
    return PolicyError(
      message, at: PolicyLocation(file: file, line: place.line, column: place.column))
  }

  mutating func note(_ severity: PolicyNote.Severity, _ message: String, at value: JSONValue) {
    notes.append(PolicyNote(severity, message, at: location(of: value)))
  }

  /// The members of an object, all of whose keys must be in `allowed`.
  func members(
    of value: JSONValue, called name: String, allowed: Set<String>
  ) throws(PolicyError) -> [String: JSONValue] {
    guard let members = value.members else { throw expected("an object", for: name, value) }
    var result: [String: JSONValue] = [:]
    for (key, member) in members {
      guard allowed.contains(key) else {
        let near =
          NearName.nearest(to: key, among: allowed).map { "; did you mean \"\($0)\"?" } ?? ""
        throw error("\(name) has no key \"\(printable(key))\"\(near)", atKey: key, of: value)
      }
      result[key] = member
    }
    return result
  }

  func string(_ value: JSONValue, called name: String) throws(PolicyError) -> String {
    guard let string = value.string else { throw expected("a string", for: name, value) }
    return string
  }

  func strings(_ value: JSONValue, called name: String) throws(PolicyError) -> [JSONValue] {
    guard let elements = value.elements else { throw expected("a list", for: name, value) }
    for element in elements where element.string == nil {
      throw expected("a string", for: "an entry of \(name)", element)
    }
    return elements
  }

  func unsigned(_ value: JSONValue, called name: String) throws(PolicyError) -> UInt64 {
    guard let text = value.numberText else { throw expected("a number", for: name, value) }
    guard let number = value.uint64 else {
      throw error(
        "\(name) must be a whole number from 0 to 2^64-1, and "
          + "\(printable(text)) is not", at: value)
    }
    return number
  }

  func boolean(_ value: JSONValue, called name: String) throws(PolicyError) -> Bool {
    guard let boolean = value.boolean else { throw expected("true or false", for: name, value) }
    return boolean
  }

  func expected(_ what: String, for name: String, _ value: JSONValue) -> PolicyError {
    error("\(name) must be \(what), and is \(article(value.kind))", at: value)
  }

  /// Null where a list or an object may stand is what some generators write for "none".
  mutating func isAbsent(_ value: JSONValue?, called name: String) -> Bool {
    guard let value else { return true }
    guard value.isNull else { return false }
    note(.note, "null is read as if \"\(name)\" were absent", at: value)
    return true
  }

  private func article(_ kind: JSONValue.Kind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// `text` fit for a message on a terminal: control characters as their numbers, and not too long.
package func printable(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(64) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return text.unicodeScalars.count > 64 ? result + "…" : result
}
