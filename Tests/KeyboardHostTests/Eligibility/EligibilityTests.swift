import Testing
import TextInput

@testable import KeyboardHost

private typealias Candidate = Eligibility.Candidate

private func decide(
  _ change: (inout FieldDescription) -> Void, ascii: Bool = true, enabled: Bool = true
) -> Decision {
  var field = FieldDescription()
  change(&field)
  return Eligibility.decide(
    field: field,
    candidate: Candidate(identifier: "k", isASCIICapable: ascii, isEnabled: enabled))
}

@Suite("Eligibility")
struct EligibilityTests {
  @Test("an ordinary field takes a keyboard, and says why")
  func ordinary() {
    let decision = decide { _ in }
    #expect(decision.isEligible && decision.verdict == "eligible")
    #expect(decision.reasons == [.fieldAllows, .appDoesNotAsk])
    #expect(decide { $0.appAnswer = .allow }.reasons.last == .appAllows)
  }

  @Test("every keyboard type has its written rule", arguments: KeyboardType.allCases)
  func keyboardTypes(type: KeyboardType) {
    let capable = decide { $0.traits.keyboardType = .known(type) }
    let incapable = decide({ $0.traits.keyboardType = .known(type) }, ascii: false)
    switch type {
    case .phonePad, .namePhonePad:
      #expect(capable.reasons == [.refusedKeyboardType(type)] && capable.fieldRefuses)
    case .asciiCapable, .asciiCapableNumberPad:
      #expect(capable.isEligible)
      #expect(incapable.reasons == [.notASCIICapable(type)] && !incapable.fieldRefuses)
    case .numberPad, .decimalPad:
      #expect(capable.reasons.first == .numericPadAllows(type) && incapable.isEligible)
    default: #expect(capable.isEligible && incapable.isEligible)
    }
  }

  @Test("every content type has its written rule", arguments: TextContentType.allCases)
  func contentTypes(type: TextContentType) {
    let decision = decide { $0.traits.textContentType = .known(type) }
    switch type {
    case .password, .newPassword, .oneTimeCode, .creditCardSecurityCode:
      #expect(decision.reasons == [.sensitiveContentType(type)])
    case .creditCardNumber:
      #expect(
        decision.reasons == [.incognito(.creditCardNumber), .fieldAllows, .appDoesNotAsk])
      #expect(decision.isEligible && decision.isIncognito)
    default: #expect(decision.isEligible)
    }
  }

  @Test(
    "an incognito field takes a keyboard, says so, and stays incognito; what refuses still does")
  func incognito() {
    let both = decide {
      $0.traits.isPrivate = .known(true)
      $0.traits.isTerminal = .known(true)
      $0.traits.keyboardType = .known(.numberPad)
    }
    #expect(
      both.reasons == [
        .incognito(.privateField), .incognito(.terminal), .numericPadAllows(.numberPad),
        .appDoesNotAsk,
      ])
    #expect(both.isIncognito && both.verdict == "eligible")
    let later = decide { $0.wasIncognito = true }
    #expect(later.reasons.first == .stickyIncognito && later.isIncognito)
    #expect(!decide { $0.traits.isPrivate = .known(false) }.isIncognito)
    let refused = decide {
      $0.wasIncognito = true
      $0.traits.isPrivate = .known(true)
      $0.appAnswer = .deny
    }
    #expect(refused.reasons == [.appVeto] && !refused.isIncognito)
    var field = FieldDescription()
    #expect(!Eligibility.keepsAway(field))
    field.wasIncognito = true
    #expect(Eligibility.keepsAway(field) && !Eligibility.fieldRefuses(field))
  }

  @Test("a secure field refuses, and one that was secure refuses for its lifetime")
  func secure() {
    #expect(decide { $0.traits.isSecureTextEntry = .known(true) }.reasons == [.secureEntry])
    #expect(decide { $0.traits.isSecureTextEntry = .known(false) }.isEligible)
    let later = decide {
      $0.traits.isSecureTextEntry = .known(false)
      $0.wasSecure = true
    }
    #expect(later.reasons == [.stickySecure] && later.fieldRefuses)
  }

  @Test("whatever makes a field secure refuses by itself, so that its past need not be named")
  func secureRefusesByItself() {
    var fields: [TextInputTraits] = []
    for secure in [Trait<Bool>.known(true), .known(false), .unknown("x"), .absent] {
      for type in TextContentType.allCases.map({ Trait.known($0) }) + [.unknown("x"), .absent] {
        var traits = TextInputTraits()
        traits.isSecureTextEntry = secure
        traits.textContentType = type
        fields.append(traits)
      }
    }
    for traits in fields {
      let fresh = decide { $0.traits = traits }
      let later = decide {
        $0.traits = traits
        $0.wasSecure = true
      }
      #expect(later.fieldRefuses)
      if Eligibility.isSecure(traits) {
        #expect(fresh.fieldRefuses && fresh == later)
      } else {
        #expect(later.reasons.first == .stickySecure)
      }
    }
  }

  @Test("what makes a field sticky is what is secret, and what cannot be read")
  func stickiness() {
    var traits = TextInputTraits()
    #expect(!Eligibility.isSecure(traits))
    traits.isSecureTextEntry = .unknown("maybe")
    #expect(Eligibility.isSecure(traits))
    traits.isSecureTextEntry = .absent
    traits.textContentType = .known(.newPassword)
    #expect(Eligibility.isSecure(traits))
    traits.textContentType = .known(.username)
    #expect(!Eligibility.isSecure(traits))
  }

  @Test("an app's no, a failed answer and a missing one are vetoes")
  func veto() {
    #expect(decide { $0.appAnswer = .deny }.reasons == [.appVeto])
    #expect(decide { $0.appAnswer = .failed }.reasons == [.appAnswerMissing])
    #expect(decide { $0.appAnswer = .deny }.fieldRefuses)
  }

  @Test("every trait with an unknown value fails closed")
  func unknown() {
    let changes: [(String, (inout TextInputTraits) -> Void)] = [
      ("keyboardType", { $0.keyboardType = .unknown("x") }),
      ("keyboardAppearance", { $0.keyboardAppearance = .unknown("x") }),
      ("returnKeyType", { $0.returnKeyType = .unknown("x") }),
      ("enablesReturnKeyAutomatically", { $0.enablesReturnKeyAutomatically = .unknown("x") }),
      ("allowsEditingTextAttributes", { $0.allowsEditingTextAttributes = .unknown("x") }),
      ("isSecureTextEntry", { $0.isSecureTextEntry = .unknown("x") }),
      ("autocapitalizationType", { $0.autocapitalizationType = .unknown("x") }),
      ("autocorrectionType", { $0.autocorrectionType = .unknown("x") }),
      ("spellCheckingType", { $0.spellCheckingType = .unknown("x") }),
      ("smartQuotesType", { $0.smartQuotesType = .unknown("x") }),
      ("smartDashesType", { $0.smartDashesType = .unknown("x") }),
      ("smartInsertDeleteType", { $0.smartInsertDeleteType = .unknown("x") }),
      ("textContentType", { $0.textContentType = .unknown("x") }),
      ("isPrivate", { $0.isPrivate = .unknown("x") }),
      ("isTerminal", { $0.isTerminal = .unknown("x") }),
    ]
    for (name, change) in changes {
      let decision = decide { change(&$0.traits) }
      #expect(decision.reasons.last == .unknownTraitValue(trait: name, value: "x"))
      #expect(decision.fieldRefuses)
    }
    let named = decide { $0.traits.unrecognized = ["newTrait"] }
    #expect(named.reasons == [.unknownTrait("newTrait")])
  }

  @Test("every reason is given, not only the first")
  func allReasons() {
    let decision = decide(
      {
        $0.traits.isSecureTextEntry = .known(true)
        $0.traits.keyboardType = .known(.phonePad)
        $0.traits.textContentType = .known(.password)
        $0.appAnswer = .deny
      }, enabled: false)
    #expect(
      decision.reasons == [
        .secureEntry, .refusedKeyboardType(.phonePad), .sensitiveContentType(.password),
        .appVeto, .keyboardNotEnabled("k"),
      ])
  }

  @Test("without an enabled keyboard there is nothing to decide for")
  func none() {
    let decision = Eligibility.decide(field: FieldDescription(), candidate: nil)
    #expect(decision.reasons == [.noKeyboardEnabled] && !decision.fieldRefuses)
    let chosen = Eligibility.decide(
      field: FieldDescription(), candidate: nil, systemIsChosen: true)
    #expect(chosen.reasons == [.systemKeyboardSelected] && !chosen.fieldRefuses)
  }

  @Test("the codes are distinct words")
  func codes() {
    let reasons: [DecisionReason] = [
      .secureEntry, .stickySecure, .refusedKeyboardType(.phonePad),
      .refusedKeyboardType(.namePhonePad), .sensitiveContentType(.password), .appVeto,
      .appAnswerMissing, .unknownTraitValue(trait: "", value: ""), .unknownTrait(""),
      .incognito(.creditCardNumber), .incognito(.privateField), .incognito(.terminal),
      .stickyIncognito, .notASCIICapable(.asciiCapable),
      .noKeyboardEnabled, .keyboardNotInstalled(""), .keyboardNotEnabled(""), .fieldAllows,
      .numericPadAllows(.numberPad), .appDoesNotAsk, .appAllows, .systemKeyboardSelected,
      .systemServesEveryField,
    ]
    #expect(Set(reasons.map(\.code)).count == reasons.count)
    #expect(reasons.allSatisfy { !$0.description.isEmpty })
  }
}
