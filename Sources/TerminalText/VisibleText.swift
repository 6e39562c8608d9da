/// Makes text from outside safe to show: on a terminal, in a log, in a message.
///
/// Every control character (C0, DEL, C1), line and paragraph separator, bidirectional control,
/// zero-width or otherwise invisible format character becomes a visible escape `\u{1b}`, so that
/// no text can move the cursor, change colours or the title, reorder what stands beside it, or
/// break a line.
public enum VisibleText {
  /// - Parameter limit: the most bytes of the result; a longer text is cut and ended by `…`,
  ///   never within an escape. A limit below 4 is taken for 4.
  public static func escape(_ text: String, limit: Int = .max) -> String {
    var result = ""
    var count = 0
    let room = limit == .max ? Int.max : max(limit, 4)
    // The last place at which the result so far still leaves room for the mark of a cut.
    var cut = result.endIndex
    for scalar in text.unicodeScalars {
      let piece = isSafe(scalar) ? String(scalar) : escape(scalar)
      let length = piece.utf8.count
      if count + length > room {
        return result[..<cut] + "…"
      }
      result += piece
      count += length
      if count <= room - 3 { cut = result.endIndex }
    }
    return result
  }

  /// Whether the text can be shown as it is.
  public static func isSafe(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isSafe) }

  static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7f).contains(scalar.value) { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      // ZERO WIDTH JOINER and NON-JOINER are letters' business, in emoji and in many scripts.
      return scalar.value == 0x200d || scalar.value == 0x200c
    case .spaceSeparator:
      return scalar.value == 0xa0 || scalar.value == 0x3000
    default:
      return !scalar.properties.isDefaultIgnorableCodePoint
        || scalar.properties.isVariationSelector
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
