/// The quotation marks of a language, and which of them a straight one becomes.
///
/// The marks are those of Unicode's locale data (CLDR, `delimiters`), with the no-break spaces that
/// French puts inside. The apostrophe is U+2019 in every language.
public struct TypographicQuotes: Sendable, Equatable {
  /// The outer marks, for `"`.
  public let start: String
  /// The outer marks, for `"`.
  public let end: String
  /// The inner marks, for `'`.
  public let innerStart: String
  /// The inner marks, for `'`.
  public let innerEnd: String

  static let apostrophe = "\u{2019}"

  private init(_ start: String, _ end: String, _ innerStart: String, _ innerEnd: String) {
    self.start = start
    self.end = end
    self.innerStart = innerStart
    self.innerEnd = innerEnd
  }

  /// The marks of a language by its BCP 47 tag. A language that is not known, or nil, has those of
  /// English.
  public init(language: String?) {
    let parts = (language ?? "").lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    let primary = parts.first ?? ""
    let isSwiss = parts.dropFirst().contains { $0 == "ch" || $0 == "li" }
    switch primary {
    case "de", "fr", "it", "rm", "gsw":
      if isSwiss || primary == "rm" || primary == "gsw" {
        self.init("«", "»", "‹", "›")
      } else if primary == "de" {
        self.init("„", "“", "‚", "‘")
      } else if primary == "fr" {
        self.init("«\u{A0}", "\u{A0}»", "“", "”")
      } else {
        self.init("«", "»", "“", "”")
      }
    case "cs", "sk", "sl", "bg", "is", "lt", "et", "ka", "mk", "sq", "hsb", "dsb":
      self.init("„", "“", "‚", "‘")
    case "hr", "sr", "bs", "af": self.init("„", "”", "‚", "’")
    case "pl", "ro": self.init("„", "”", "«", "»")
    case "hu": self.init("„", "”", "»", "«")
    case "ru", "uk", "be": self.init("«", "»", "„", "“")
    case "es", "ca", "el", "hy", "gl", "eu", "ast": self.init("«", "»", "“", "”")
    case "pt" where parts.contains("pt") && parts.count > 1 && parts[1] == "pt":
      self.init("«", "»", "“", "”")
    case "nb", "nn", "no": self.init("«", "»", "‘", "’")
    case "sv", "fi", "he", "iw": self.init("”", "”", "’", "’")
    case "ja": self.init("「", "」", "『", "』")
    case "zh" where parts.contains("hant") || parts.contains("tw") || parts.contains("hk"):
      self.init("「", "」", "『", "』")
    default: self.init("“", "”", "‘", "’")
    }
  }

  /// What stands in the text for a straight quote that is typed behind `before`; nil for any other
  /// text.
  ///
  /// A quote opens at the start and behind white space, an opening bracket or quote, a dash or a
  /// slash; elsewhere it closes. `'` behind a letter or digit is an apostrophe, unless an inner
  /// quote of the same line is open and its end is another sign.
  public func replacement(for text: String, after before: String) -> String? {
    switch text {
    case "\"": return opens(after: before, start: start, end: end) ? start : end
    case "'":
      if let last = before.last, last.isLetter || last.isNumber {
        return innerEnd != Self.apostrophe && isInnerOpen(before) ? innerEnd : Self.apostrophe
      }
      return opens(after: before, start: innerStart, end: innerEnd) ? innerStart : innerEnd
    default: return nil
    }
  }

  private func opens(after before: String, start: String, end: String) -> Bool {
    guard let last = before.last else { return true }
    // Nothing was typed since it was opened.
    if start != end && before.hasSuffix(start) { return false }
    return last.isWhitespace || "([{<“‘„‚«‹「『¿¡—–-/".contains(last)
      || before.hasSuffix(self.start) || before.hasSuffix(innerStart)
  }

  private func isInnerOpen(_ before: String) -> Bool {
    for character in before.reversed() {
      if character.isNewline { return false }
      let text = String(character)
      if text == innerStart { return true }
      if text == innerEnd { return false }
    }
    return false
  }
}
