import TextInput

/// One reason of a decision. The code is stable; the description is for people.
public enum DecisionReason: Sendable, Equatable, CustomStringConvertible {
  // The field refuses every custom keyboard.
  case secureEntry
  case stickySecure
  case refusedKeyboardType(KeyboardType)
  case sensitiveContentType(TextContentType)
  case appVeto
  case appAnswerMissing
  case ownInputView
  case unknownTraitValue(trait: String, value: String)
  case unknownTrait(String)
  // This keyboard is refused in this field.
  case notASCIICapable(KeyboardType)
  case noKeyboardEnabled
  case systemKeyboardSelected
  case keyboardNotInstalled(String)
  case keyboardNotEnabled(String)
  case keyboardDamaged(String)
  // The field takes an instance of the keyboard that forgets, and no other.
  case incognito(IncognitoCause)
  case stickyIncognito
  // Nothing is in the way.
  case fieldAllows
  case numericPadAllows(KeyboardType)
  case appDoesNotAsk
  case appAllows
  case systemServesEveryField

  /// A word that stays the same from version to version.
  public var code: String {
    switch self {
    case .secureEntry: "secure-entry"
    case .stickySecure: "sticky-secure"
    case .refusedKeyboardType(let type): type == .phonePad ? "phone-pad" : "name-phone-pad"
    case .sensitiveContentType: "sensitive-content-type"
    case .appVeto: "app-veto"
    case .appAnswerMissing: "app-answer-missing"
    case .ownInputView: "own-input-view"
    case .unknownTraitValue: "unknown-trait-value"
    case .unknownTrait: "unknown-trait"
    case .incognito(let cause):
      switch cause {
      case .creditCardNumber: "incognito-card-number"
      case .privateField: "incognito-private"
      case .terminal: "incognito-terminal"
      }
    case .stickyIncognito: "sticky-incognito"
    case .notASCIICapable: "not-ascii-capable"
    case .noKeyboardEnabled: "no-keyboard-enabled"
    case .systemKeyboardSelected: "system-keyboard-selected"
    case .keyboardNotInstalled: "keyboard-not-installed"
    case .keyboardNotEnabled: "keyboard-not-enabled"
    case .keyboardDamaged: "keyboard-damaged"
    case .fieldAllows: "field-allows"
    case .numericPadAllows: "numeric-pad-allows"
    case .appDoesNotAsk: "app-does-not-ask"
    case .appAllows: "app-allows"
    case .systemServesEveryField: "system-serves-every-field"
    }
  }

  /// Who or what refuses.
  public enum Scope: String, Sendable {
    /// The field or its app: every custom keyboard is refused, and frozen while it has focus.
    case field
    /// This keyboard alone.
    case keyboard
    /// Nothing: a reason for eligibility.
    case none
  }

  public var scope: Scope {
    switch self {
    case .secureEntry, .stickySecure, .refusedKeyboardType, .sensitiveContentType, .appVeto,
      .appAnswerMissing, .ownInputView, .unknownTraitValue, .unknownTrait:
      .field
    case .notASCIICapable, .noKeyboardEnabled, .systemKeyboardSelected, .keyboardNotInstalled,
      .keyboardNotEnabled, .keyboardDamaged:
      .keyboard
    case .fieldAllows, .numericPadAllows, .appDoesNotAsk, .appAllows, .systemServesEveryField,
      .incognito, .stickyIncognito:
      .none
    }
  }

  /// Whether it asks for an instance that forgets.
  var isIncognito: Bool {
    switch self {
    case .incognito, .stickyIncognito: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .secureEntry: "the field is secure (isSecureTextEntry)"
    case .stickySecure: "the field was secure before and stays refused for its lifetime"
    case .refusedKeyboardType(let type): "the field wants the \(type.rawValue) keyboard"
    case .sensitiveContentType(let type): "the field is for a \(type.rawValue)"
    case .appVeto: "the app does not allow custom keyboards"
    case .appAnswerMissing:
      "the app was asked whether it allows custom keyboards and gave no answer"
    case .ownInputView: "the app shows an input view of its own for the field"
    case .unknownTraitValue(let trait, let value):
      "the value \"\(value)\" of the trait \(trait) is unknown, and what is unknown is refused"
    case .unknownTrait(let name): "the trait \"\(name)\" is unknown, and what is unknown is refused"
    case .incognito(let cause):
      "\(cause.description): the keyboard serves it incognito"
    case .stickyIncognito: "the field was incognito before and stays so for its lifetime"
    case .notASCIICapable(let type):
      "the field wants \(type.rawValue), and the keyboard does not say IsASCIICapable"
    case .noKeyboardEnabled: "no custom keyboard is enabled"
    case .systemKeyboardSelected: "the user chose the system keyboard"
    case .keyboardNotInstalled(let id): "the keyboard \"\(id)\" is not installed"
    case .keyboardNotEnabled(let id): "the keyboard \"\(id)\" is installed but not enabled"
    case .keyboardDamaged(let story): "the keyboard cannot be used: \(story)"
    case .fieldAllows: "nothing in the field's traits refuses a custom keyboard"
    case .numericPadAllows(let type): "\(type.rawValue) stays open to custom keyboards"
    case .appDoesNotAsk: "the app does not forbid custom keyboards"
    case .appAllows: "the app allows custom keyboards"
    case .systemServesEveryField: "the system keyboard serves every field"
    }
  }
}

extension IncognitoCause: CustomStringConvertible {
  /// For people.
  public var description: String {
    switch self {
    case .creditCardNumber: "the field is for the number of a card"
    case .privateField: "the app wants nothing of the field remembered"
    case .terminal: "the field is a terminal"
    }
  }
}
