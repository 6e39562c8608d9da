/// The letter keys of a language: where the 26 letters stand, which letters of its own have a key
/// beside them, and which variants of a letter its key offers when it is pressed for long.
///
/// Which letters those are is what the phone's keyboards of that language have; the letters of a
/// language are those that CLDR names its exemplar characters.
public struct LetterKeys: Sendable, Equatable {
  /// How the 26 stand.
  public let arrangement: LetterArrangement
  /// What stands at the end of each of the three rows besides.
  private let additions: [String]
  /// The language's own variants of a letter, which come first.
  private let preferred: [Character: String]

  /// The keys of a language by its BCP 47 tag. A language that is not known, or nil, has those of
  /// English.
  public init(language: String?) {
    arrangement = LetterArrangement(language: language)
    let parts = (language ?? "").lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    switch (parts.first ?? "", arrangement) {
    case ("de", _), ("gsw", _): additions = ["ü", "öä", ""]
    case ("fr", .azerty): additions = ["", "", "'"]
    case ("fr", .qwertz): additions = ["è", "éà", ""]
    case ("sv", _), ("fi", _): additions = ["å", "öä", ""]
    case ("da", _): additions = ["å", "æø", ""]
    case ("nb", _), ("nn", _), ("no", _): additions = ["å", "øæ", ""]
    case ("es", _), ("gl", _), ("eu", _): additions = ["", "ñ", ""]
    default: additions = ["", "", ""]
    }
    preferred =
      switch parts.first ?? "" {
      case "de", "gsw": ["a": "ä", "o": "ö", "s": "ß", "u": "ü"]
      case "fr":
        ["a": "àâæ", "c": "ç", "e": "éèêë", "i": "îï", "o": "ôœ", "u": "ùûü", "y": "ÿ"]
      case "es", "gl", "eu": ["a": "á", "e": "é", "i": "í", "o": "ó", "u": "úü"]
      case "it": ["a": "à", "e": "èé", "i": "ì", "o": "ò", "u": "ù"]
      case "pt": ["a": "ãáàâ", "c": "ç", "e": "éê", "i": "í", "o": "õóô", "u": "ú"]
      case "cs", "sk": ["a": "á", "e": "éě", "i": "í", "o": "ó", "u": "úů", "y": "ý"]
      case "hu": ["a": "á", "e": "é", "i": "í", "o": "óöő", "u": "úüű"]
      default: [:]
      }
  }

  /// The keys of the three rows.
  /// - Parameter asASCII: for a field that takes nothing else.
  func rows(asASCII: Bool) -> [String] {
    zip(arrangement.rows, additions).map { row, more in
      row + more.filter { !asASCII || $0.isASCII }
    }
  }

  /// What is typed instead of a letter when its key is pressed for long; in lower case, and empty
  /// where there is nothing. At most ``mostVariants``.
  func variants(of letter: Character) -> String {
    var found = preferred[letter] ?? ""
    for variant in Self.common[letter] ?? "" where !found.contains(variant) {
      if found.count == Self.mostVariants { break }
      found.append(variant)
    }
    return found
  }

  /// As many as a row of keys holds in good measure.
  static let mostVariants = 9

  /// Of every language that is written in these letters.
  private static let common: [Character: String] = [
    "a": "àáâäæãåā", "c": "çćč", "d": "ðď", "e": "èéêëēėęě", "g": "ğ", "i": "îïíīįì", "l": "łľ",
    "n": "ñńň", "o": "ôöòóœøōõ", "r": "ř", "s": "ßśšș", "t": "ťțþ", "u": "ûüùúūů", "y": "ÿý",
    "z": "žźż",
  ]
}
