import TextInput

/// The rules by which a field takes or refuses a custom keyboard: a pure function.
///
/// Source of the rules: the custom keyboard chapter of the App Extension Programming Guide, and
/// beyond it the content types that hold secrets. Whatever is unknown is refused.
public enum Eligibility {
  /// What a keyboard says of itself, as far as eligibility needs it.
  public struct Candidate: Sendable, Equatable {
    public var identifier: String
    public var isASCIICapable: Bool
    public var isEnabled: Bool

    public init(identifier: String, isASCIICapable: Bool, isEnabled: Bool = true) {
      self.identifier = identifier
      self.isASCIICapable = isASCIICapable
      self.isEnabled = isEnabled
    }
  }

  /// - Parameters:
  ///   - candidate: nil when no custom keyboard is enabled, or the user chose none.
  ///   - systemIsChosen: whether there is no candidate because the user's choice is the system
  ///     keyboard.
  public static func decide(
    field: FieldDescription, candidate: Candidate?, systemIsChosen: Bool = false
  ) -> Decision {
    var refusals = fieldRefusals(field)
    if let candidate {
      if !candidate.isEnabled { refusals.append(.keyboardNotEnabled(candidate.identifier)) }
      if let type = field.traits.keyboardType.value, needsASCII(type), !candidate.isASCIICapable {
        refusals.append(.notASCIICapable(type))
      }
    } else {
      refusals.append(systemIsChosen ? .systemKeyboardSelected : .noKeyboardEnabled)
    }
    return Decision(reasons: refusals.isEmpty ? permissions(field) : refusals)
  }

  /// Whether the field, whatever the keyboard, is refused.
  public static func fieldRefuses(_ field: FieldDescription) -> Bool {
    !fieldRefusals(field).isEmpty
  }

  /// Whether the field, whatever the keyboard, is served by none but an instance that forgets.
  public static func isIncognito(_ field: FieldDescription) -> Bool {
    field.wasIncognito || !field.traits.incognitoCauses.isEmpty
  }

  /// Whether every instance of a keyboard that remembers is kept away from the field: it is told
  /// nothing of it, and stands still as long as the field has focus.
  public static func keepsAway(_ field: FieldDescription) -> Bool {
    fieldRefuses(field) || isIncognito(field)
  }

  /// Whether the traits make the field one that stays refused for its lifetime. What cannot be
  /// read counts: a field that might have been secure is treated as if it was.
  public static func isSecure(_ traits: TextInputTraits) -> Bool {
    switch traits.isSecureTextEntry {
    case .known(true), .unknown: return true
    case .known(false), .absent: break
    }
    switch traits.textContentType {
    case .known(let type): return isSecret(type)
    case .unknown: return true
    case .absent: return false
    }
  }

  private static func isSecret(_ type: TextContentType) -> Bool {
    switch type {
    case .password, .newPassword, .oneTimeCode, .creditCardSecurityCode: true
    default: false
    }
  }

  private static func needsASCII(_ type: KeyboardType) -> Bool {
    type == .asciiCapable || type == .asciiCapableNumberPad
  }

  private static func fieldRefusals(_ field: FieldDescription) -> [DecisionReason] {
    let traits = field.traits
    var reasons: [DecisionReason] = []
    if traits.isSecureTextEntry.value == true {
      reasons.append(.secureEntry)
    } else if field.wasSecure, !isSecure(traits) {
      // Where it still is secure, what makes it so is the reason.
      reasons.append(.stickySecure)
    }
    if let type = traits.keyboardType.value, type == .phonePad || type == .namePhonePad {
      reasons.append(.refusedKeyboardType(type))
    }
    if let type = traits.textContentType.value, isSecret(type) {
      reasons.append(.sensitiveContentType(type))
    }
    switch field.appAnswer {
    case .deny: reasons.append(.appVeto)
    case .failed: reasons.append(.appAnswerMissing)
    case .allow, .notImplemented: break
    }
    if field.hasInputView { reasons.append(.ownInputView) }
    reasons += unknownValues(traits)
    return reasons
  }

  private static func unknownValues(_ traits: TextInputTraits) -> [DecisionReason] {
    var reasons: [DecisionReason] = []
    func check<Value>(_ name: String, _ trait: Trait<Value>) {
      if case .unknown(let value) = trait {
        reasons.append(.unknownTraitValue(trait: name, value: value))
      }
    }
    check("keyboardType", traits.keyboardType)
    check("keyboardAppearance", traits.keyboardAppearance)
    check("returnKeyType", traits.returnKeyType)
    check("enablesReturnKeyAutomatically", traits.enablesReturnKeyAutomatically)
    check("allowsEditingTextAttributes", traits.allowsEditingTextAttributes)
    check("isSecureTextEntry", traits.isSecureTextEntry)
    check("autocapitalizationType", traits.autocapitalizationType)
    check("autocorrectionType", traits.autocorrectionType)
    check("spellCheckingType", traits.spellCheckingType)
    check("smartQuotesType", traits.smartQuotesType)
    check("smartDashesType", traits.smartDashesType)
    check("smartInsertDeleteType", traits.smartInsertDeleteType)
    check("textContentType", traits.textContentType)
    check("isPrivate", traits.isPrivate)
    check("isTerminal", traits.isTerminal)
    return reasons + traits.unrecognized.map { .unknownTrait($0) }
  }

  private static func permissions(_ field: FieldDescription) -> [DecisionReason] {
    var reasons: [DecisionReason] = field.traits.incognitoCauses.map { .incognito($0) }
    if field.wasIncognito, reasons.isEmpty { reasons.append(.stickyIncognito) }
    switch field.traits.keyboardType.value {
    case .numberPad?: reasons.append(.numericPadAllows(.numberPad))
    case .decimalPad?: reasons.append(.numericPadAllows(.decimalPad))
    default: reasons.append(.fieldAllows)
    }
    reasons.append(field.appAnswer == .allow ? .appAllows : .appDoesNotAsk)
    return reasons
  }
}
