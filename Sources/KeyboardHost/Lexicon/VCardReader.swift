/// The form of vCards (RFC 6350, and 2426 for version 3.0): lines, properties, escapes.
enum VCardReader {
  /// What cannot be read, and in which line, counted from 1.
  struct Fault: Error, Equatable, CustomStringConvertible {
    var line: Int
    var message: String
    var description: String { "line \(line): \(message)" }
  }

  struct Property {
    /// In capitals, without a group.
    var name: String
    /// In capitals.
    var parameters: String
    var value: String
  }

  /// Lines, with those that go on in the next joined, and the number of the first of each.
  static func unfolded(_ text: String) -> [(Int, String)] {
    var lines: [(Int, String)] = []
    var number = 0
    // CR LF is one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
        lines[lines.count - 1].1 += line.dropFirst()
      } else {
        lines.append((number, String(line)))
      }
    }
    return lines
  }

  static func property(_ line: String) -> Property? {
    // A colon in a quoted parameter is none.
    var isQuoted = false
    var colon: String.Index?
    for index in line.indices {
      if line[index] == "\"" { isQuoted.toggle() }
      if line[index] == ":", !isQuoted {
        colon = index
        break
      }
    }
    guard let colon else { return nil }
    let head = line[..<colon].uppercased()
    let name = head.prefix { $0 != ";" }
    // `item1.N` is the property N of a group.
    let plain = name.split(separator: ".").last ?? name
    guard !plain.isEmpty else { return nil }
    return Property(
      name: String(plain), parameters: String(head.dropFirst(name.count)),
      value: String(line[line.index(after: colon)...]))
  }

  /// Splits at a sign that no backslash stands before.
  static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isEscaped = false
    for index in text.indices {
      if isEscaped {
        isEscaped = false
      } else if text[index] == "\\" {
        isEscaped = true
      } else if text[index] == separator {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "n" || character == "N" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
