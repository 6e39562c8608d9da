/// What a field lets a keyboard do to the text by itself.
///
/// The kind of field wins over what the field declares: an address, a number, a secret or a name of
/// an account is typed as its keys say, whatever its traits allow. An unknown type or value allows
/// nothing. A field that declares nothing allows what the user's settings say, as `default` does.
public enum TypingRules {
  /// Whether a feature may be used in a field.
  public static func allow(
    _ feature: SystemKeyboardSettings.Feature, in traits: TextInputTraits
  ) -> Bool {
    switch feature {
    case .capsLock, .shakeToUndo, .trackpadCursor, .hardwareKeys, .keyClicks: return true
    case .capitalization: return Capitalization.rule(for: traits) != .none
    // What is drawn large over a key can be read from afar.
    case .keyPreview: return traits.isSecureTextEntry.isAbsentOrFalse
    case .richText: return traits.allowsEditingTextAttributes == .known(true)
    case .doubleSpaceFullStop: return isProse(traits)
    case .smartInsertDelete: return isProse(traits) && allows(traits.smartInsertDeleteType, .no)
    case .smartQuotes: return isTypographic(traits) && allows(traits.smartQuotesType, .no)
    case .smartDashes: return isTypographic(traits) && allows(traits.smartDashesType, .no)
    case .textReplacement:
      return isProse(traits) && allows(traits.autocorrectionType, .no) && allowsLexicon(in: traits)
    case .prediction: return isProse(traits) && allows(traits.autocorrectionType, .no)
    case .autocorrection:
      guard isProse(traits), allows(traits.autocorrectionType, .no) else { return false }
      // What has a meaning of its own (a name, a street) is in no dictionary.
      return traits.textContentType == .absent || traits.autocorrectionType == .known(.yes)
    }
  }

  /// Whether the user's own words (names of contacts, text replacements) may show in a field. In an
  /// incognito one they would tell whoever looks on whose it is.
  public static func allowsLexicon(in traits: TextInputTraits) -> Bool {
    traits.incognitoCauses.isEmpty
  }

  /// Whether a field holds running text: not an address, a number, a secret, an account's name or a
  /// terminal's commands.
  static func isProse(_ traits: TextInputTraits) -> Bool {
    switch traits.keyboardType {
    case .known(let type):
      switch type {
      case .URL, .emailAddress, .numberPad, .phonePad, .namePhonePad, .decimalPad,
        .asciiCapableNumberPad, .numbersAndPunctuation:
        return false
      case .default, .asciiCapable, .twitter, .webSearch: break
      }
    case .unknown: return false
    case .absent: break
    }
    guard traits.isSecureTextEntry.isAbsentOrFalse, traits.isTerminal.isAbsentOrFalse else {
      return false
    }
    switch traits.textContentType {
    case .absent: return true
    case .unknown: return false
    case .known(let type): return type.isProse
    }
  }

  /// Whether quotes and dashes beyond ASCII are welcome. A search takes quotes for its own signs.
  private static func isTypographic(_ traits: TextInputTraits) -> Bool {
    guard isProse(traits) else { return false }
    switch traits.keyboardType.value {
    case .asciiCapable, .webSearch: return false
    default: return true
    }
  }

  private static func allows<Value>(_ trait: Trait<Value>, _ no: Value) -> Bool {
    switch trait {
    case .absent: true
    case .unknown: false
    case .known(let value): value != no
    }
  }
}

extension Trait<Bool> {
  /// Whether the trait says no, or nothing.
  var isAbsentOrFalse: Bool { self == .absent || self == .known(false) }
}

extension TextContentType {
  /// Whether a content of this kind is words, and not a sign, a number or a secret.
  fileprivate var isProse: Bool {
    switch self {
    case .name, .namePrefix, .givenName, .middleName, .familyName, .nameSuffix, .nickname,
      .jobTitle,
      .organizationName, .location, .fullStreetAddress, .streetAddressLine1, .streetAddressLine2,
      .addressCity, .addressState, .addressCityAndState, .sublocality, .countryName:
      true
    default: false
    }
  }
}
