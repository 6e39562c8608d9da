/// When the next letter is a capital, and how a letter becomes one.
public enum Capitalization {
  /// The rule that holds for a field.
  ///
  /// The kind of field wins over what it declares: addresses, numbers, names of accounts, secrets
  /// and commands have no capital of their own, whatever `autocapitalizationType` says. A field that
  /// declares nothing has `sentences`, as in UIKit; an unknown value has `none`.
  public static func rule(for traits: TextInputTraits) -> AutocapitalizationType {
    switch traits.keyboardType {
    case .known(let type):
      switch type {
      case .URL, .emailAddress, .numberPad, .phonePad, .decimalPad, .asciiCapableNumberPad:
        return .none
      default: break
      }
    case .unknown: return .none
    case .absent: break
    }
    if !traits.isSecureTextEntry.isAbsentOrFalse || !traits.isTerminal.isAbsentOrFalse {
      return .none
    }
    switch traits.textContentType {
    case .known(let type):
      switch type {
      case .username, .password, .newPassword, .oneTimeCode, .emailAddress, .URL, .telephoneNumber,
        .creditCardNumber, .creditCardSecurityCode, .creditCardExpiration, .postalCode,
        .shipmentTrackingNumber, .cellularEID, .cellularIMEI:
        return .none
      default: break
      }
    case .unknown: return .none
    case .absent: break
    }
    switch traits.autocapitalizationType {
    case .known(let type): return type
    case .unknown: return .none
    case .absent: return .sentences
    }
  }

  /// Whether a letter typed after this text is to be a capital.
  ///
  /// A word begins at the start and after white space. A sentence begins at the start, after a
  /// line break, and after white space that follows a full stop, a question or exclamation mark or
  /// an ellipsis, with closing quotes and brackets between them or not. Quotes and brackets that open
  /// stand before the word.
  public static func capitalizes(after text: String, by rule: AutocapitalizationType) -> Bool {
    switch rule {
    case .none: return false
    case .allCharacters: return true
    case .words: return withoutOpenQuotes(text).last?.isWhitespace ?? true
    case .sentences:
      var sawSpace = false
      for character in withoutOpenQuotes(text).reversed() {
        if character.isNewline { return true }
        if character.isWhitespace {
          sawSpace = true
          continue
        }
        if "。！？".contains(character) { return true }
        guard sawSpace else { return false }
        if "\"'”’»)]}".contains(character) { continue }
        return ".!?…؟।".contains(character)
      }
      return true
    }
  }

  /// The text without the quotes and brackets at its end that open something. A straight quote opens
  /// when it stands at the start, behind white space or behind another that opens.
  private static func withoutOpenQuotes(_ text: String) -> Substring {
    var end = text.endIndex
    while end > text.startIndex, "\"'“‘„‚«‹([{¿¡\u{A0}".contains(text[text.index(before: end)]) {
      end = text.index(before: end)
    }
    let rest = text[..<end]
    let isOpened = rest.last?.isWhitespace ?? true
    let signs = text[end...]
    return isOpened || signs.contains { "“‘„‚«‹([{¿¡".contains($0) } ? rest : text[...]
  }

  /// The text with its first letter in title case: `ǆ` becomes `ǅ`, `ß` becomes `Ss`, and `i`
  /// becomes `I` in every language (the mapping of Unicode that knows no language).
  public static func titlecased(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    var result = first.properties.titlecaseMapping
    result.unicodeScalars.append(contentsOf: text.unicodeScalars.dropFirst())
    return result
  }
}
