import Testing
import TextInput

@testable import AppProtocol

/// Each row of the mapping of web inputs, and what an absent attribute means.
@Suite("Web inputs")
struct WebInputTests {
  /// Attributes as HTML writes them: `type=password inputmode=numeric`, tokens joined by `+`.
  private static func input(_ attributes: String) -> WebInput {
    var input = WebInput()
    for attribute in attributes.split(separator: " ") {
      let parts = attribute.split(separator: "=", omittingEmptySubsequences: false)
      let value = parts[1].split(separator: "+").joined(separator: " ")
      switch parts[0] {
      case "type": input.type = value
      case "inputmode": input.inputMode = value
      case "autocomplete": input.autocomplete = value
      case "autocorrect": input.autocorrect = value
      case "autocapitalize": input.autocapitalize = value
      case "spellcheck": input.spellcheck = value
      case "enterkeyhint": input.enterKeyHint = value
      default: Issue.record("\(attribute)")
      }
    }
    return input
  }

  /// The traits that are not absent.
  private static func told(_ traits: TextInputTraits) -> String {
    var parts: [String] = []
    func add<Value>(_ name: String, _ trait: TextInput.Trait<Value>) {
      if case .known(let value) = trait { parts.append("\(name)=\(value)") }
    }
    add("keyboard", traits.keyboardType)
    add("secure", traits.isSecureTextEntry)
    add("content", traits.textContentType)
    add("correct", traits.autocorrectionType)
    add("capitals", traits.autocapitalizationType)
    add("spelling", traits.spellCheckingType)
    add("return", traits.returnKeyType)
    return parts.joined(separator: " ")
  }

  @Test(
    "map to traits, and what is absent stays absent",
    arguments: [
      ("", ""),
      ("type=text", "keyboard=default"),
      ("type=search", "keyboard=webSearch"),
      ("type=tel", "keyboard=phonePad"),
      ("type=url", "keyboard=URL correct=no capitals=none"),
      ("type=email", "keyboard=emailAddress correct=no capitals=none"),
      ("type=number", "keyboard=numbersAndPunctuation"),
      ("type=password", "secure=true correct=no capitals=none"),
      ("type=PassWord", "secure=true correct=no capitals=none"),
      ("type=date", "content=dateTime"),
      ("type=time", "content=dateTime"),
      ("type=datetime-local", "content=dateTime"),
      ("type=month", "content=dateTime"),
      ("type=week", "content=dateTime"),
      ("type=nonsense", ""),
      ("inputmode=none", ""),
      ("inputmode=text", "keyboard=default"),
      ("inputmode=tel", "keyboard=phonePad"),
      ("inputmode=url", "keyboard=URL"),
      ("inputmode=email", "keyboard=emailAddress"),
      ("inputmode=numeric", "keyboard=numberPad"),
      ("inputmode=decimal", "keyboard=decimalPad"),
      ("inputmode=search", "keyboard=webSearch"),
      ("type=text inputmode=numeric", "keyboard=numberPad"),
      (
        "type=password inputmode=numeric",
        "keyboard=numberPad secure=true correct=no capitals=none"
      ),
      ("type=password autocapitalize=words", "secure=true correct=no capitals=none"),
      ("autocapitalize=off", "capitals=none"),
      ("autocapitalize=none", "capitals=none"),
      ("autocapitalize=on", "capitals=sentences"),
      ("autocapitalize=sentences", "capitals=sentences"),
      ("autocapitalize=words", "capitals=words"),
      ("autocapitalize=characters", "capitals=allCharacters"),
      ("autocorrect=on", "correct=yes"),
      ("autocorrect=", "correct=yes"),
      ("autocorrect=off", "correct=no"),
      ("spellcheck=true", "spelling=yes"),
      ("spellcheck=", "spelling=yes"),
      ("spellcheck=false", "spelling=no"),
      ("enterkeyhint=enter", "return=default"),
      ("enterkeyhint=done", "return=done"),
      ("enterkeyhint=go", "return=go"),
      ("enterkeyhint=next", "return=next"),
      ("enterkeyhint=previous", "return=default"),
      ("enterkeyhint=search", "return=search"),
      ("enterkeyhint=send", "return=send"),
      ("autocomplete=off", ""),
      ("autocomplete=section-a+shipping+home+email", "content=emailAddress"),
      ("autocomplete=username+webauthn", "content=username"),
      // Written in the wrong order it still is a password.
      ("autocomplete=current-password+shipping", "content=password"),
      ("autocomplete=cc-number+billing", "content=creditCardNumber"),
      ("autocomplete=cc-number+cc-csc", "content=creditCardSecurityCode"),
    ])
  func rows(_ attributes: String, _ expected: String) {
    #expect(Self.told(Self.input(attributes).traits) == expected)
  }

  @Test("every field name of autocomplete has its content type", arguments: fieldNames)
  func autocomplete(_ name: String, _ expected: TextContentType) {
    #expect(Self.input("autocomplete=\(name)").traits.textContentType == .known(expected))
  }

  private static let fieldNames: [(String, TextContentType)] = [
    ("name", .name), ("honorific-prefix", .namePrefix), ("given-name", .givenName),
    ("additional-name", .middleName), ("family-name", .familyName),
    ("honorific-suffix", .nameSuffix), ("nickname", .nickname), ("username", .username),
    ("new-password", .newPassword), ("current-password", .password),
    ("one-time-code", .oneTimeCode), ("organization-title", .jobTitle),
    ("organization", .organizationName), ("street-address", .fullStreetAddress),
    ("address-line1", .streetAddressLine1), ("address-line2", .streetAddressLine2),
    ("address-level1", .addressState), ("address-level2", .addressCity),
    ("address-level3", .sublocality), ("country-name", .countryName),
    ("postal-code", .postalCode), ("cc-name", .creditCardName),
    ("cc-given-name", .creditCardGivenName), ("cc-additional-name", .creditCardMiddleName),
    ("cc-family-name", .creditCardFamilyName), ("cc-number", .creditCardNumber),
    ("cc-exp", .creditCardExpiration), ("cc-exp-month", .creditCardExpirationMonth),
    ("cc-exp-year", .creditCardExpirationYear), ("cc-csc", .creditCardSecurityCode),
    ("cc-type", .creditCardType), ("bday", .birthdate), ("bday-day", .birthdateDay),
    ("bday-month", .birthdateMonth), ("bday-year", .birthdateYear), ("tel", .telephoneNumber),
    ("email", .emailAddress), ("url", .URL),
  ]

  @Test("no row of the tables is without a test")
  func complete() {
    #expect(Set(Self.fieldNames.map(\.0)) == Set(WebInput.contentTypes.keys))
    #expect(Self.fieldNames.allSatisfy { WebInput.contentTypes[$0.0] == $0.1 })
  }

  @Test("whatever is in a private window is private")
  func privateWindow() {
    var input = Self.input("type=search")
    #expect(input.traits.isPrivate == .absent)
    input.isInPrivateWindow = true
    #expect(input.traits.isPrivate == .known(true))
    #expect(input.traits.keyboardType == .known(.webSearch))
  }

  @Test("only inputmode=none wants no keyboard")
  func none() {
    #expect(Self.input("inputmode=None").wantsNoKeyboard)
    #expect(!Self.input("inputmode=text").wantsNoKeyboard)
    #expect(!WebInput().wantsNoKeyboard)
  }
}
