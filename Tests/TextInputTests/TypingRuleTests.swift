import Testing

@testable import TextInput

/// Golden traces: what is typed, and the text that comes of it.
@Suite("What the system keyboard makes of what is typed")
struct TypingRuleTests {
  private static let replacements = [
    "omw": "on my way", "b": "c", "c": "b", "a": "a a", "@@": "me@example.org",
    "uni": "Universität",
    "x": "",
  ]

  @Test(
    "two spaces behind a word make a full stop",
    arguments: [
      ("hi  ", "hi. "), ("hi   ", "hi.  "), ("hi  you  ", "hi. you. "), (" ", " "), ("  ", "  "),
      ("hi.  ", "hi.  "), ("hi,  ", "hi,  "), ("5  ", "5. "), ("(hi)  ", "(hi). "),
      ("hi \n ", "hi \n "), ("hi  ⌫", "hi  "), ("hi  ⌫⌫", "hi "), ("hi  ⌫ ", "hi   "),
      ("hi ⌫  ", "hi. "), ("hi a⌫ ", "hi  "),
    ])
  func fullStop(keys: String, text: String) throws {
    #expect(try typed(keys) == text)
  }

  @Test("a full stop is made behind a picture, but not of another's space")
  func fullStopBounds() throws {
    #expect(try typed("  ", after: "👍") == "👍. ")
    #expect(try typed("  ", after: "क्ष") == "क्ष. ")
    #expect(try typed(" ", after: "hi ") == "hi  ")
    #expect(try typed("  ", after: "+") == "+  ")
    #expect(try typed("hi  ") { $0[.doubleSpaceFullStop] = false } == "hi  ")
    #expect(try typed("hi  ", field(.webSearch)) == "hi. ")
    #expect(try typed("hi  ", field(.emailAddress)) == "hi  ")
    var rig = TypingRig()
    try rig.type("hi ")
    rig.document.select(3..<3)
    rig.document.replaceText("ho ")
    try rig.type(" ")
    #expect(rig.text == "ho  ", "the first space is the app's now")
  }

  @Test("a full stop makes the next letter a capital")
  func fullStopCapital() throws {
    var rig = TypingRig(capitals: true)
    for key in ["h", "i", "space", "space", "y", "o"] { try rig.handle(.tap(key: "system.\(key)")) }
    #expect(rig.text == "Hi. Yo")
  }

  @Test(
    "quotes fit their place and their language",
    arguments: [
      ("en", "\"hi\" 'ho' it's", "“hi” ‘ho’ it’s"), ("en", "(\"a\")", "(“a”)"),
      ("en", "\"'a' b\"", "“‘a’ b”"), ("en", "\"\"", "“”"), ("en", "a\n\"b\"", "a\n“b”"),
      ("en", "5'", "5’"), ("en", "dogs' ", "dogs’ "), ("en", "\"hi,\"", "“hi,”"),
      ("de", "\"hi\" 'ho' geht's", "„hi“ ‚ho‘ geht’s"), ("de-CH", "\"hi\"", "«hi»"),
      ("fr", "\"oui\" l'eau", "«\u{A0}oui\u{A0}» l’eau"), ("fr-CH", "\"oui\"", "«oui»"),
      ("es", "\"si\" 'no'", "«si» “no”"), ("sv", "\"ja\" 'nej'", "”ja” ’nej’"),
      ("pl", "\"tak\"", "„tak”"), ("ru", "\"da\" 'net'", "«da» „net“"), ("ja", "\"a\"", "「a」"),
      ("zh-Hant-TW", "\"a\"", "「a」"), ("zh-CN", "\"a\"", "“a”"), ("pt-BR", "\"a\"", "“a”"),
      ("pt-PT", "\"a\"", "«a»"), ("hu", "\"a\"", "„a”"), ("xx", "\"a\"", "“a”"),
    ])
  func quotes(language: String, keys: String, text: String) throws {
    #expect(try typed(keys, language: language) == text)
    // The user's own language wins.
    #expect(try typed(keys, language: "ka") { $0.language = language } == text)
    #expect(try typed(keys, language: language) { $0[.smartQuotes] = false } == keys)
  }

  @Test(
    "two hyphens make a dash, and no more than two",
    arguments: [
      ("a--b", "a—b"), ("--", "—"), ("---", "—-"), ("----", "—--"), ("a-b", "a-b"), ("- -", "- -"),
      ("a--⌫", "a"),
    ])
  func dashes(keys: String, text: String) throws {
    #expect(try typed(keys) == text)
    let signs = keys.filter { $0 != "⌫" }
    #expect(try typed(signs) { $0[.smartDashes] = false } == signs)
  }

  @Test(
    "replacements take the place of what was typed, once",
    arguments: [
      ("omw ", "on my way "), ("omw.", "on my way."), ("omw\n", "on my way\n"), ("omw", "omw"),
      ("omws ", "omws "), ("xomw ", "xomw "), ("omw-", "omw-"), ("(omw)", "(on my way)"),
      ("1omw ", "1omw "), ("/omw ", "/omw "), ("Omw ", "On my way "), ("OMW ", "OMW "),
      // Never expanded again, in no circle.
      ("b ", "c "), ("b ⌫", "b "), ("b c ", "c b "), ("a ", "a a "), ("a .", "a a ."),
      ("omw ⌫", "omw "), ("omw ⌫⌫ ", "omw "), ("omw ⌫⌫⌫w ", "omw "), ("omw.⌫ ", "omw. "),
      ("@@ ", "me@example.org "), ("@@.", "@@."), ("x ", " "), ("x ⌫", "x "),
      ("omw  ", "on my way. "), ("b,c.", "c,c."),
    ])
  func replacement(keys: String, text: String) throws {
    var rig = TypingRig(replacements: Self.replacements) { $0[.smartDashes] = false }
    try rig.type(keys)
    #expect(rig.text == text)
  }

  @Test("what a replacement put there is not replaced, however one goes on")
  func neverAgain() throws {
    // "b" stands for "c", which stands for "b".
    for keys in ["b ", "b .", "b ⌫ ", "b x⌫ ", "b \n", "b ⌫⌫"] {
      var rig = TypingRig(replacements: ["b": "c", "c": "b"])
      try rig.type(keys)
      let first = rig.text
      try rig.type(" ")
      #expect(
        rig.text.filter { "bc".contains($0) } == first.filter { "bc".contains($0) }, "\(keys)")
    }
    var rig = TypingRig("c", replacements: ["c": "b"])
    try rig.type(" ")
    #expect(rig.text == "c ", "the word is the app's")
    rig = TypingRig("xy", replacements: ["c": "b"])
    rig.document.select(1..<1)
    try rig.type("c ")
    #expect(rig.text == "xc y", "it is no word of its own")
  }

  @Test("a replacement goes by the field and its setting")
  func replacementBounds() throws {
    let table = Self.replacements
    #expect(try typed("omw ", field(.emailAddress), replacements: table) == "omw ")
    #expect(try typed("omw ", field(content: .username), replacements: table) == "omw ")
    #expect(try typed("omw ", field(content: .name), replacements: table) == "on my way ")
    #expect(try typed("omw ", field(.asciiCapable), replacements: table) == "on my way ")
    #expect(try typed("uni ", field(.asciiCapable), replacements: table) == "uni ")
    #expect(try typed("omw ", replacements: table) { $0[.textReplacement] = false } == "omw ")
    var traits = TextInputTraits()
    traits.autocorrectionType = .known(.no)
    #expect(try typed("omw ", traits, replacements: table) == "omw ")
    traits.autocorrectionType = .unknown("perhaps")
    #expect(try typed("omw ", traits, replacements: table) == "omw ")
  }

  @Test("replacements that hold many characters, and clusters, are put there and taken back whole")
  func clusters() throws {
    let family = "👨‍👩‍👧‍👦🇫🇷\u{1112}\u{1161}\u{11AB}क्षe\u{301}\r\nשלום"
    let table = ["f": family]
    #expect(
      try typed("f ", replacements: table).unicodeScalars.elementsEqual(
        (family + " ").unicodeScalars))
    #expect(try typed("f ⌫", replacements: table) == "f ")
    #expect(try typed("f ⌫", after: "e\u{301} ", replacements: table) == "e\u{301} f ")
  }

  @Test(
    "a word that is deleted whole takes a space along",
    arguments: [
      ("one two three", 4..<7, "one three"), ("one two", 4..<7, "one "), ("one two", 0..<3, "two"),
      ("one two, three", 4..<7, "one, three"), ("one two three", 4..<8, "one three"),
      ("onetwo", 3..<6, "one"), ("one\ntwo three", 4..<7, "one\nthree"),
      ("a 🇫🇷 b", 2..<3, "a  b"), ("שלום לכם עולם", 5..<8, "שלום עולם"),
    ])
  func smartDelete(text: String, range: Range<Int>, expected: String) throws {
    func deleted(_ change: (inout SystemKeyboardSettings) -> Void) throws -> String {
      var rig = TypingRig(text, TextInputTraits(), change)
      rig.document.select(range)
      try rig.type("⌫")
      return rig.text
    }
    #expect(try deleted { _ in } == expected)
    var plain = text
    let start = plain.index(plain.startIndex, offsetBy: range.lowerBound)
    plain.removeSubrange(start..<plain.index(start, offsetBy: range.count))
    #expect(try deleted { $0[.smartInsertDelete] = false } == plain)
  }

  @Test(
    "fields of signs, numbers and secrets get what the keys say",
    arguments: [
      field(.URL), field(.emailAddress), field(.numbersAndPunctuation), field(.phonePad),
      field(.namePhonePad), field(.decimalPad), field(content: .username),
      field(content: .password),
      field(content: .URL), field(content: .postalCode), field(content: .oneTimeCode),
    ])
  func exactFields(traits: TextInputTraits) {
    for feature in SystemKeyboardSettings.Feature.allCases {
      switch feature {
      case .doubleSpaceFullStop, .smartQuotes, .smartDashes, .smartInsertDelete, .textReplacement,
        .autocorrection, .prediction, .richText:
        #expect(!TypingRules.allow(feature, in: traits), "\(feature)")
        var wanted = traits
        wanted.smartQuotesType = .known(.yes)
        wanted.smartDashesType = .known(.yes)
        wanted.autocorrectionType = .known(.yes)
        #expect(!TypingRules.allow(feature, in: wanted), "\(feature): the kind wins")
      default: break
      }
    }
  }

  @Test("each trait turns its own rule off, and ASCII and searches have no typography")
  func traits() throws {
    var traits = TextInputTraits()
    traits.smartQuotesType = .known(.no)
    #expect(try typed("\"a\"--", traits) == "\"a\"—")
    traits.smartQuotesType = .unknown("curly")
    #expect(try typed("\"a\"", traits) == "\"a\"")
    traits = TextInputTraits()
    traits.smartDashesType = .known(.no)
    #expect(try typed("\"a\"--", traits) == "“a”--")
    for type in [KeyboardType.asciiCapable, .webSearch] {
      #expect(try typed("\"a\"--", field(type)) == "\"a\"--")
    }
    traits = TextInputTraits()
    traits.isSecureTextEntry = .known(true)
    #expect(try typed("\"a\"--b  ", traits) == "\"a\"--b  ")
    traits.isSecureTextEntry = .unknown("perhaps")
    #expect(try typed("\"a\"--b  ", traits) == "\"a\"--b  ")
  }

  @Test("two taps of shift lock the capitals, if they come at once and the user wants it")
  func capsLock() throws {
    var rig = TypingRig()
    rig.time = 5_000
    try rig.handle(.tap(key: "system.shift"))
    rig.time -= 900
    try rig.handle(.tap(key: "system.shift"))
    try rig.type("AB")
    #expect(rig.text == "AB")
    try rig.handle(.tap(key: "system.shift"))
    try rig.handle(.tap(key: "system.c"))
    #expect(rig.text == "ABc")

    rig = TypingRig()
    try rig.handle(.tap(key: "system.shift"))
    try rig.handle(.tap(key: "system.shift"))
    try rig.handle(.tap(key: "system.a"))
    #expect(rig.text == "a", "the second tap came late")

    rig = TypingRig("") { $0[.capsLock] = false }
    rig.time = 5_000
    try rig.handle(.longPress(key: "system.shift"))
    try rig.handle(.tap(key: "system.a"))
    try rig.handle(.tap(key: "system.b"))
    #expect(rig.text == "Ab")
  }

  @Test("the capitals stay locked wherever the cursor goes, and the chosen keys stay shown")
  func staysChosen() throws {
    var rig = TypingRig("x")
    try rig.handle(.longPress(key: "system.shift"))
    rig.document.select(0..<0)
    #expect(
      rig.keyboard.currentLayout(in: rig.document, traits: rig.traits).key(typing: "A") != nil)
    rig = TypingRig()
    try rig.type("1")
    #expect(rig.layout.key(typing: "2") != nil)
    rig.keyboard.begin()
    let layout = rig.keyboard.currentLayout(in: rig.document, traits: rig.traits)
    #expect(layout.key(typing: "a") != nil)
  }

  @Test("a hardware keyboard's keys are typed as they come, unless the user wants the rules")
  func hardwareKeys() throws {
    func typedByHardware(_ text: String, _ isOn: Bool) throws -> String {
      var rig = TypingRig("", replacements: ["omw": "on my way"], capitals: true) {
        $0[.hardwareKeys] = isOn
      }
      for character in text {
        if character == "⌫" {
          try rig.handle(.hardwareKey(HardwareKey(characters: "", name: "BackSpace")))
        } else {
          try rig.handle(.hardwareKey(HardwareKey(characters: String(character))))
        }
      }
      return rig.text
    }
    #expect(try typedByHardware("omw  \"a\"--", false) == "omw  \"a\"--")
    #expect(try typedByHardware("omw  \"a\"--", true) == "On my way. “A”—")
    #expect(try typedByHardware("omw ⌫", true) == "Omw ")
    #expect(try typedByHardware("omw ⌫", false) == "omw")
  }

  @Test("what is selected or composed is replaced as it is")
  func selections() throws {
    var rig = TypingRig("hi ", language: "en")
    rig.document.select(0..<3)
    try rig.type("\"")
    #expect(rig.text == "\"")
    rig = TypingRig("b")
    try rig.document.apply([.setMarkedText("ni", selectedRange: 2..<2)])
    try rig.type("-")
    #expect(rig.text == "b-")
  }
}

@Suite("Incognito fields")
struct IncognitoFieldTests {
  @Test("are those for a card's number, private ones and terminals, and what cannot be read")
  func causes() {
    #expect(TextInputTraits().incognitoCauses == [])
    for type in TextContentType.allCases {
      #expect(
        field(content: type).incognitoCauses
          == (type == .creditCardNumber ? [.creditCardNumber] : []))
    }
    var traits = TextInputTraits()
    traits.isPrivate = .known(false)
    traits.isTerminal = .known(false)
    #expect(traits.incognitoCauses == [])
    traits.isPrivate = .unknown("maybe")
    traits.isTerminal = .known(true)
    #expect(traits.incognitoCauses == [.privateField, .terminal])
  }

  @Test("show none of the user's own words: no replacement is made, none is asked for")
  func noLexicon() throws {
    var traits = TextInputTraits()
    #expect(try typed("omw ", traits, replacements: ["omw": "on my way"]) == "on my way ")
    traits.isPrivate = .known(true)
    #expect(try typed("omw ", traits, replacements: ["omw": "on my way"]) == "omw ")
    let ordinary = WordQuestion(word: "ann", wantsCorrection: true, wantsPrediction: true)
    var incognito = ordinary
    incognito.allowsLexicon = false
    let predictor = WordPredictor(lexicon: [
      LexiconEntry(userInput: "Annabel", documentText: "Annabel"),
      LexiconEntry(userInput: "ann", documentText: "Ann of 12 Elm Street"),
    ])
    let dictionary = PlayedDictionary([], ["ann": ["annual"]])
    let open = predictor.answer(ordinary, dictionary: dictionary)
    #expect(open.suggestions.contains("Annabel"))
    #expect(open.suggestions.contains("Ann of 12 Elm Street"))
    #expect(predictor.answer(incognito, dictionary: dictionary).suggestions == ["annual"])
  }

  @Test("that are terminals are typed into as the keys say")
  func terminal() throws {
    var traits = TextInputTraits()
    traits.isTerminal = .known(true)
    #expect(try typed("echo \"a\" -- b  c ", traits) == "echo \"a\" -- b  c ")
    for feature in [
      SystemKeyboardSettings.Feature.autocorrection, .prediction, .textReplacement, .smartQuotes,
      .smartDashes, .doubleSpaceFullStop, .capitalization,
    ] {
      #expect(!TypingRules.allow(feature, in: traits))
    }
  }
}
