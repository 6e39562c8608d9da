import TextInput

/// What an HTML input says of itself, to be mapped to traits by a browser that is a client.
///
/// The tables are the mapping: one place for every front end. Attributes that are absent leave their
/// traits absent. Values are compared without regard to case, and a value that HTML does not have
/// counts as the attribute's absence, as the HTML standard says of `type`, `inputmode`,
/// `autocapitalize` and `enterkeyhint`.
public struct WebInput: Sendable, Equatable {
  public var type: String?
  public var inputMode: String?
  public var autocomplete: String?
  public var autocorrect: String?
  public var autocapitalize: String?
  public var spellcheck: String?
  public var enterKeyHint: String?
  /// Whether it is on a page of a private window, of which the browser keeps nothing.
  public var isInPrivateWindow = false

  /// An input without attributes.
  public init() {}

  /// Whether the page wants no keyboard at all for it (`inputmode=none`).
  public var wantsNoKeyboard: Bool { Self.normal(inputMode) == "none" }

  /// `type` (HTML, "States of the type attribute").
  static let keyboardTypes: [String: KeyboardType] = [
    "text": .default, "search": .webSearch, "tel": .phonePad, "url": .URL, "email": .emailAddress,
    "number": .numbersAndPunctuation,
  ]

  /// `inputmode`, which says more than `type`.
  static let inputModes: [String: KeyboardType] = [
    "text": .default, "search": .webSearch, "tel": .phonePad, "url": .URL, "email": .emailAddress,
    "numeric": .numberPad, "decimal": .decimalPad,
  ]

  /// Types of dates and times.
  static let dateTypes: Set<String> = ["date", "time", "datetime-local", "month", "week"]

  /// Types that hold no sentences: HTML gives them neither correction nor capital letters.
  static let plainTypes: Set<String> = ["password", "email", "url"]

  /// The field name of `autocomplete` (HTML, "Autofill detail tokens").
  static let contentTypes: [String: TextContentType] = [
    "name": .name, "honorific-prefix": .namePrefix, "given-name": .givenName,
    "additional-name": .middleName, "family-name": .familyName, "honorific-suffix": .nameSuffix,
    "nickname": .nickname, "username": .username, "new-password": .newPassword,
    "current-password": .password, "one-time-code": .oneTimeCode,
    "organization-title": .jobTitle, "organization": .organizationName,
    "street-address": .fullStreetAddress, "address-line1": .streetAddressLine1,
    "address-line2": .streetAddressLine2, "address-level2": .addressCity,
    "address-level1": .addressState, "address-level3": .sublocality,
    "country-name": .countryName, "postal-code": .postalCode, "cc-name": .creditCardName,
    "cc-given-name": .creditCardGivenName, "cc-additional-name": .creditCardMiddleName,
    "cc-family-name": .creditCardFamilyName, "cc-number": .creditCardNumber,
    "cc-exp": .creditCardExpiration, "cc-exp-month": .creditCardExpirationMonth,
    "cc-exp-year": .creditCardExpirationYear, "cc-csc": .creditCardSecurityCode,
    "cc-type": .creditCardType, "bday": .birthdate, "bday-day": .birthdateDay,
    "bday-month": .birthdateMonth, "bday-year": .birthdateYear, "tel": .telephoneNumber,
    "email": .emailAddress, "url": .URL,
  ]

  /// `autocapitalize`.
  static let capitalizations: [String: AutocapitalizationType] = [
    "off": .none, "none": .none, "on": .sentences, "sentences": .sentences, "words": .words,
    "characters": .allCharacters,
  ]

  /// `enterkeyhint`; HTML's `enter` and `previous` have no return key of their own.
  static let returnKeys: [String: ReturnKeyType] = [
    "enter": .default, "done": .done, "go": .go, "next": .next, "previous": .default,
    "search": .search, "send": .send,
  ]

  /// The traits of the input.
  public var traits: TextInputTraits {
    var traits = TextInputTraits()
    let type = Self.normal(type)
    if type == "password" { traits.isSecureTextEntry = .known(true) }
    if isInPrivateWindow { traits.isPrivate = .known(true) }
    if let type, Self.dateTypes.contains(type) { traits.textContentType = .known(.dateTime) }
    if let kind = Self.look(inputMode, Self.inputModes) ?? Self.look(type, Self.keyboardTypes) {
      traits.keyboardType = .known(kind)
    }
    if let content = contentType { traits.textContentType = .known(content) }
    if let type, Self.plainTypes.contains(type) {
      traits.autocorrectionType = .known(.no)
      traits.autocapitalizationType = .known(.none)
    } else {
      switch Self.normal(autocorrect) {
      case "on", "": traits.autocorrectionType = .known(.yes)
      case "off": traits.autocorrectionType = .known(.no)
      default: break
      }
      if let when = Self.look(autocapitalize, Self.capitalizations) {
        traits.autocapitalizationType = .known(when)
      }
    }
    switch Self.normal(spellcheck) {
    case "true", "": traits.spellCheckingType = .known(.yes)
    case "false": traits.spellCheckingType = .known(.no)
    default: break
    }
    if let key = Self.look(enterKeyHint, Self.returnKeys) { traits.returnKeyType = .known(key) }
    return traits
  }

  /// The field name is the last token, but for `webauthn`; what stands before it says whose it is.
  /// A field name that holds a secret counts wherever it stands: a page that writes the tokens in
  /// another order must not give its secret away.
  private var contentType: TextContentType? {
    var tokens = (Self.normal(autocomplete) ?? "").split(whereSeparator: \.isWhitespace)
    if tokens.last == "webauthn" { tokens.removeLast() }
    let found = tokens.compactMap { Self.contentTypes[String($0)] }
    let secrets: [TextContentType] = [
      .password, .newPassword, .oneTimeCode, .creditCardSecurityCode, .creditCardNumber,
    ]
    for secret in secrets where found.contains(secret) { return secret }
    return tokens.last.flatMap { Self.contentTypes[String($0)] }
  }

  private static func look<Value>(_ text: String?, _ table: [String: Value]) -> Value? {
    normal(text).flatMap { table[$0] }
  }

  /// HTML compares without regard to the case of ASCII letters.
  private static func normal(_ text: String?) -> String? {
    guard let text else { return nil }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isCapital = (0x41...0x5A).contains(scalar.value)
      result.append(isCapital ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
    }
    return String(result)
  }
}
