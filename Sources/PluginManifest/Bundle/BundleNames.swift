import TerminalText

/// The rules for what a bundle calls itself and its files.
enum BundleNames {
  /// Why an id is refused, or nil when it is good.
  ///
  /// Letters, digits, `.`, `-` and `_`, in parts between single dots, beginning with a letter or
  /// digit: it serves as a file name, an argument and a key in files, and must be safe as each.
  static func faultOfIdentifier(_ text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.count > BundleLimits.identifierBytes {
      return "is longer than \(BundleLimits.identifierBytes) bytes"
    }
    if text.hasPrefix("-") { return "begins with `-`, like an option" }
    if text.lowercased() == "system" { return "is the name of the host's own keyboard" }
    let isPlain = text.utf8.allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
    }
    guard isPlain else { return "holds something other than letters, digits, `.`, `-` and `_`" }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) { return "has an empty part between its dots" }
    if parts.contains(where: { $0.hasPrefix("-") }) { return "has a part that begins with `-`" }
    return nil
  }

  /// Why a display name or a version is refused.
  static func faultOfName(_ text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "is empty" }
    if text.utf8.count > BundleLimits.nameBytes {
      return "is longer than \(BundleLimits.nameBytes) bytes"
    }
    if text.hasPrefix("-") { return "begins with `-`, like an option" }
    if !VisibleText.isSafe(text) {
      return "holds a control character, or one that changes the direction of writing"
    }
    return nil
  }

  /// Why a name under which people are to know something is refused.
  static func faultOfDisplayName(_ text: String) -> String? {
    // U+2800 is a picture without dots.
    if text.unicodeScalars.allSatisfy({ isUnseen($0) || $0.value == 0x2800 }) {
      return "shows nothing"
    }
    if ["system", "systemkeyboard"].contains(looks(of: text)) {
      return "is the name of the host's own keyboard"
    }
    return nil
  }

  /// The letters of a text as the eye takes them: without marks and what shows nothing, wide and
  /// mathematical letters as plain ones, and the letters of other scripts that look like those of the
  /// host's own name as these. The source of the last is Unicode's table of confusable characters.
  private static func looks(of text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic && !isUnseen(scalar) {
      result += plain(scalar).lowercased()
    }
    return result
  }

  private static func plain(_ scalar: Unicode.Scalar) -> String {
    if let like = confusables[scalar] { return like }
    switch scalar.value {
    // Fullwidth letters.
    case 0xFF21...0xFF3A: return String(Unicode.Scalar(UInt8(scalar.value - 0xFF21 + 0x41)))
    case 0xFF41...0xFF5A: return String(Unicode.Scalar(UInt8(scalar.value - 0xFF41 + 0x61)))
    // Mathematical alphabets, 52 letters each.
    case 0x1D400...0x1D6A3:
      let index = UInt8((scalar.value - 0x1D400) % 52)
      return String(Unicode.Scalar(index < 26 ? 0x41 + index : 0x61 + index - 26))
    default: return String(scalar)
    }
  }

  private static let confusables: [Unicode.Scalar: String] = [
    "ѕ": "s", "Ѕ": "s", "ꜱ": "s", "у": "y", "У": "y", "ү": "y", "Ү": "y", "ʏ": "y", "Υ": "y",
    "γ": "y", "т": "t", "Т": "t", "Τ": "t", "τ": "t", "ᴛ": "t", "е": "e", "Е": "e", "Ε": "e",
    "ҽ": "e", "ᴇ": "e", "м": "m", "М": "m", "Μ": "m", "ᴍ": "m", "к": "k", "К": "k", "Κ": "k",
    "κ": "k", "ᴋ": "k", "о": "o", "О": "o", "Ο": "o", "ο": "o", "σ": "o", "ᴏ": "o", "а": "a",
    "А": "a", "Α": "a", "α": "a", "ɑ": "a", "ᴀ": "a", "г": "r", "ᴦ": "r", "ʀ": "r", "В": "b",
    "в": "b", "Β": "b", "ʙ": "b", "Ь": "b", "ԁ": "d", "ᴅ": "d",
  ]

  /// Whether a scalar takes no place of its own.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spaceSeparator, .format, .control: true
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace
    }
  }

  /// Why the name of a file in a bundle is refused.
  static func faultOfFile(_ text: String) -> String? {
    if let fault = faultOfName(text) { return fault }
    if text == "." || text == ".." || text.utf8.contains(UInt8(ascii: "/")) {
      return "is not the name of a file"
    }
    return nil
  }
}
