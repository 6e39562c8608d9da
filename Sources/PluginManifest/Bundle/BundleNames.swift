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
    let words = looks(of: text)
    let hostsOwn = ["system", "keyboard"]
    if ["system", "systemkeyboard"].contains(words.joined()) || words.contains("systemkeyboard")
      || words.indices.contains(where: { words[$0...].starts(with: hostsOwn) })
    {
      return "is the name of the host's own keyboard"
    }
    return nil
  }

  /// The words of a text as the eye takes them: without marks and what shows nothing, and whatever looks
  /// like a letter of the host's own name as that letter.
  private static func looks(of text: String) -> [String] {
    var words = [""]
    for scalar in text.unicodeScalars where !isUnseen(scalar) || scalar.properties.isWhitespace {
      let plain = plain(scalar)
      // What is no letter stands between words.
      if plain.isEmpty { words.append("") } else { words[words.count - 1] += plain }
    }
    return words.filter { !$0.isEmpty }.map { $0.replacing("rn", with: "m") }
  }

  /// The letter that a scalar shows, in small; empty where it shows none.
  private static func plain(_ scalar: Unicode.Scalar) -> String {
    if let like = confusables[scalar] { return like }
    if let letter = latinLetter(scalar) { return letter }
    return scalar.properties.isAlphabetic ? String(scalar).lowercased() : ""
  }

  /// Of a Latin letter with marks, or in a circle, wide, raised, small or of a mathematical alphabet, the
  /// letter. Unicode's names say which that is, and are never changed (Unicode's stability policy).
  private static func latinLetter(_ scalar: Unicode.Scalar) -> String? {
    guard !scalar.isASCII, let name = scalar.properties.name else { return nil }
    let kinds = ["LATIN", "MATHEMATICAL", "MODIFIER LETTER", "REGIONAL INDICATOR"]
    guard kinds.contains(where: { name.contains($0) }) else { return nil }
    let whole = name.components(before: " WITH ")
    guard let last = whole.split(separator: " ").last, last.utf8.count == 1 else { return nil }
    return last.lowercased()
  }

  /// What looks like a letter of the host's own name, by Unicode's table of confusable characters, and
  /// digits that are read as letters.
  private static let confusables: [Unicode.Scalar: String] = {
    var letters: [Unicode.Scalar: String] = [:]
    for (letter, alike) in [
      "s": "ѕЅꜱꓢᏚ𐊖ՏЅ5$", "y": "уУүҮʏΥγꓬᎩ", "t": "тТΤτᴛꓔᎢ", "e": "еЕΕҽᴇꓰᎬ℮єəǝ", "m": "мМΜᴍꓟᎷ",
      "k": "кКΚκᴋꓗᏦ", "b": "ВвΒʙЬꓐᏴ8", "o": "оОΟοσᴏꓳօՕ0", "a": "аАΑαɑᴀꓮᎪ@", "r": "гᴦʀꓣᎡ",
      "d": "ԁᴅꓓᎠ",
    ] {
      for scalar in alike.unicodeScalars { letters[scalar] = letter }
    }
    return letters
  }()

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

extension String {
  fileprivate func components(before separator: String) -> Substring {
    firstRange(of: separator).map { self[..<$0.lowerBound] } ?? self[...]
  }
}
