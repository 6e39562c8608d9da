import PluginManifest
import TerminalText

/// What is read stays within its bounds and says the same after it was written and read again, in
/// the binary form and, where XML can say it, in that one.
func checkPropertyList(_ bytes: [UInt8]) throws(FuzzFinding) {
  let value: PropertyList
  do {
    value = try PropertyList(parsing: bytes)
  } catch {
    try demand(VisibleText.isSafe(error.description), "a message of an error cannot be shown")
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    try demand((1...lines).contains(error.line ?? 1), "an error stands outside the file")
    return
  }
  var count = 0
  try measure(value, depth: 1, count: &count)
  var writer = BinaryPropertyListWriter()
  writer.write(value)
  let binary = try mustNotThrow("the binary form is not read") { () throws(PropertyListError) in
    try PropertyList(parsing: writer.document())
  }
  try demand(same(binary, value), "the binary form says something else")
  guard let markup = markup(of: value) else { return }
  let text =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(markup)</plist>\n"
  guard text.utf8.count <= PropertyList.maximumBytes else { return }
  let read = try mustNotThrow("the XML form is not read") { () throws(PropertyListError) in
    try PropertyList(parsing: Array(text.utf8))
  }
  try demand(same(read, value), "the XML form says something else")
}

private func measure(
  _ value: PropertyList, depth: Int, count: inout Int
) throws(FuzzFinding) {
  count += 1
  try demand(depth <= PropertyList.maximumDepth, "values are nested deeper than allowed")
  try demand(count <= PropertyList.maximumValues, "there are more values than allowed")
  switch value {
  case .array(let elements):
    for element in elements { try measure(element, depth: depth + 1, count: &count) }
  case .dictionary(let entries):
    try demand(Set(entries.map(\.key)).count == entries.count, "a key stands twice")
    for entry in entries {
      try measure(entry.value, depth: depth + 1, count: &count)
      guard let found = value[entry.key] else { throw FuzzFinding("a key is not found") }
      try demand(same(found, entry.value), "a key finds another value")
    }
  case .real(let number), .date(let number): try demand(number.isFinite, "a number is not finite")
  case .string, .boolean, .integer, .data: break
  }
}

/// Equal to the last byte: `==` of strings takes different spellings of a letter for the same.
private func same(_ one: PropertyList, _ other: PropertyList) -> Bool {
  switch (one, other) {
  case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
  case (.array(let one), .array(let other)): one.elementsEqual(other, by: same)
  case (.dictionary(let one), .dictionary(let other)):
    one.elementsEqual(other) {
      $0.key.utf8.elementsEqual($1.key.utf8) && same($0.value, $1.value)
    }
  default: one == other
  }
}

/// The value as XML; nil when XML cannot say it.
private func markup(of value: PropertyList) -> String? {
  switch value {
  case .string(let text): return escape(text).map { "<string>\($0)</string>" }
  case .boolean(let flag): return flag ? "<true/>" : "<false/>"
  case .integer(let number): return "<integer>\(number)</integer>"
  case .real(let number): return "<real>\(number)</real>"
  case .date, .data: return nil
  case .array(let elements):
    var text = ""
    for element in elements {
      guard let one = markup(of: element) else { return nil }
      text += one
    }
    return "<array>\(text)</array>"
  case .dictionary(let entries):
    var text = ""
    for entry in entries {
      guard let key = escape(entry.key), let one = markup(of: entry.value) else { return nil }
      text += "<key>\(key)</key>\(one)"
    }
    return "<dict>\(text)</dict>"
  }
}

private func escape(_ text: String) -> String? {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "<": result += "&lt;"
    case "&": result += "&amp;"
    case "\r": result += "&#13;"
    case "\t", "\n": result.unicodeScalars.append(scalar)
    case "\u{0}"..<" ": return nil
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
