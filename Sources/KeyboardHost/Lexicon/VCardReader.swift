/// The form of vCards (RFC 6350, and 2426 for version 3.0): lines, properties, escapes.
///
/// By bytes, since most of a large file are pictures, and keys wait for whoever takes a processor.
enum VCardReader {
  /// What cannot be read, and in which line, counted from 1.
  struct Fault: Error, Equatable, CustomStringConvertible {
    var line: Int
    var message: String
    var description: String { "line \(line): \(message)" }
  }

  struct Property {
    /// In capitals, without a group; empty where it has one of a length that no known property has.
    let name: String
    private let head: ArraySlice<UInt8>
    private let text: ArraySlice<UInt8>

    /// - Returns: nil for a line that is no property.
    init?(_ line: [UInt8]) {
      // A colon in a quoted parameter is none.
      var isQuoted = false
      let colon = line.firstIndex { byte in
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        return byte == UInt8(ascii: ":") && !isQuoted
      }
      guard let colon else { return nil }
      head = line[..<colon]
      text = line[(colon + 1)...]
      // `item1.N` is the property N of a group.
      let whole = head.prefix { $0 != UInt8(ascii: ";") }
      let plain = whole.split(separator: UInt8(ascii: ".")).last ?? whole
      guard !plain.isEmpty else { return nil }
      name = plain.count > 8 ? "" : String(decoding: plain, as: UTF8.self).uppercased()
    }

    var isQuotedPrintable: Bool {
      String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }
    var value: String { String(decoding: text, as: UTF8.self) }
    /// Whether it is the beginning or the end of a vCard.
    var isOfCard: Bool { text.count <= 8 && value.uppercased() == "VCARD" }
  }

  /// Goes through the lines, with those that go on in the next joined, and the number of the first of each.
  static func eachLine(of bytes: [UInt8], _ body: (Int, [UInt8]) -> Void) {
    var line: [UInt8] = []
    var first = 1
    var number = 0
    var start = 0
    while start <= bytes.count {
      let end =
        bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        ?? bytes.count
      number += 1
      if number > 1, start < end, bytes[start] == UInt8(ascii: " ") || bytes[start] == 9 {
        line += bytes[(start + 1)..<end]
      } else {
        if number > 1 { body(first, line) }
        line = Array(bytes[start..<end])
        first = number
      }
      let isPair =
        end + 1 < bytes.count && bytes[end] == UInt8(ascii: "\r")
        && bytes[end + 1] == UInt8(ascii: "\n")
      start = end + (isPair ? 2 : 1)
    }
    body(first, line)
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
