import KeyboardHost

extension DecisionReason {
  /// In the words of the one who types: the description has those of the one who writes the app.
  var plainWords: String {
    switch self {
    case .secureEntry: "the field is secure, for a password"
    case .stickySecure: "the field was secure before, and stays so"
    case .refusedKeyboardType(.namePhonePad): "the field is for a name or a phone number"
    case .refusedKeyboardType: "the field is for a phone number"
    case .sensitiveContentType(.oneTimeCode): "the field is for a code that is used once"
    case .sensitiveContentType(.creditCardSecurityCode): "the field is for a card's secret code"
    case .sensitiveContentType: "the field is for a password"
    case .notASCIICapable: "the field wants plain letters (ASCII), which it does not promise"
    case .incognito(.creditCardNumber): "the field is for a card"
    case .incognito(let cause): cause.description
    case .stickyIncognito: "the field was incognito before"
    default: description
    }
  }
}

extension Decision {
  /// As ``refusalWords``, where there is no room for them.
  var shortRefusalWords: String {
    let shown: DecisionReason? = reasons.first { $0.scope != .none }
    switch shown {
    case nil: return ""
    case .secureEntry, .sensitiveContentType: return "a secret"
    case .stickySecure: return "it was a secret"
    case .refusedKeyboardType: return "a phone number"
    case .appVeto: return "its app forbids"
    case .notASCIICapable: return "wants ASCII"
    case .some: return "its traits"
    }
  }

  /// Why not, in the words of the one who types.
  var refusalWords: String {
    reasons.filter { $0.scope != .none }.map(\.plainWords).joined(separator: "; ")
  }

  /// Why the field is one for an instance that forgets, likewise.
  var incognitoWords: String {
    reasons.filter {
      switch $0 {
      case .incognito, .stickyIncognito: true
      default: false
      }
    }.map(\.plainWords).joined(separator: "; ")
  }
}
