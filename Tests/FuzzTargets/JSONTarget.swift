import StrictJSON
import TerminalText

/// What is accepted is UTF-8, within bounds, without repeated keys, and says the same after it was
/// written and read again. What is refused has a place inside the text.
func checkJSON(_ bytes: [UInt8]) throws(FuzzFinding) {
  let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 24)
  let document: JSONDocument
  do {
    document = try JSONDocument(parsing: bytes, limits: limits)
  } catch {
    try check(error, in: bytes)
    return
  }
  try demand(String(validating: bytes, as: UTF8.self) != nil, "a text was read that is not UTF-8")
  var writer = JSONWriter()
  writer.value(copying: document.root)
  let written = writer.bytes
  try demand(!written.contains { $0 < 0x20 || $0 == 0x7F }, "a control character was written")
  let again = try mustNotThrow("what was written is not read") { () throws(JSONError) in
    try JSONDocument(parsing: written, limits: limits)
  }
  try compare(document.root, again.root, depth: 1)
  writer = JSONWriter()
  writer.value(copying: again.root)
  try demand(writer.bytes == written, "writing twice gives two texts")
}

/// An error has a place in the text and can be shown.
func check(_ error: JSONError, in bytes: [UInt8]) throws(FuzzFinding) {
  try demand((0...bytes.count).contains(error.offset), "an error stands outside the text")
  let lines = bytes.prefix(error.offset).split(
    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  try demand(
    error.line == max(lines.count, 1) && error.column == (lines.last?.count ?? 0) + 1,
    "an error at byte \(error.offset) is said to be on line \(error.line), column \(error.column)")
  try demand(VisibleText.isSafe(error.message), "a message of an error cannot be shown")
}

private func compare(
  _ one: JSONValue, _ other: JSONValue, depth: Int
) throws(FuzzFinding) {
  try demand(depth <= 25, "values are nested deeper than allowed")
  try demand(one.kind == other.kind, "a \(one.kind) became a \(other.kind)")
  switch one.kind {
  case .null: break
  case .bool: try demand(one.boolean == other.boolean, "a boolean changed")
  case .string:
    guard let text = one.string, let second = other.string else {
      throw FuzzFinding("a string without text")
    }
    try demand(text.utf8.elementsEqual(second.utf8), "a string changed")
    try demand(one.isString(text), "a string is not itself")
  case .number:
    try demand(one.numberText == other.numberText, "a number changed")
    try demand(one.double?.isFinite == true, "a number is not finite")
    if let value = one.int64 {
      try demand(value == other.int64 && Double(value) == one.double, "an integer changed")
      // `-0` is no unsigned integer, as nothing with a sign is.
      let isNegative = one.numberText?.first == "-"
      try demand(isNegative || one.uint64 == UInt64(value), "two integers for one number")
    }
  case .array:
    guard let elements = one.elements, let second = other.elements,
      elements.count == second.count
    else { throw FuzzFinding("an array changed its length") }
    for (element, other) in zip(elements, second) { try compare(element, other, depth: depth + 1) }
  case .object:
    guard let members = one.members, let second = other.members, members.count == second.count
    else { throw FuzzFinding("an object changed its length") }
    var keys: Set<[UInt8]> = []
    for (member, other) in zip(members, second) {
      try demand(keys.insert(Array(member.key.utf8)).inserted, "a key stands twice in an object")
      try demand(member.key.utf8.elementsEqual(other.key.utf8), "a key changed")
      try demand(one[member.key] != nil, "a member is not found by its key")
      try compare(member.value, other.value, depth: depth + 1)
    }
  }
}
