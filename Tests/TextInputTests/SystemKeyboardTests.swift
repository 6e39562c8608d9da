import Testing

@testable import TextInput

@Suite("The system keyboard")
struct SystemKeyboardTests {
  /// Types like a user who sees the layout.
  private func type(
    _ events: [InputEvent], into document: inout TextDocument, _ traits: TextInputTraits,
    layout first: KeyboardLayout? = nil
  ) throws -> [Transaction] {
    var keyboard = SystemKeyboard()
    var layout = first ?? keyboard.currentLayout(in: document, traits: traits)
    return try events.map { event in
      let transaction = keyboard.handle(event, in: document, traits: traits, layout: layout)
      try document.apply(transaction.edits)
      layout = transaction.layout ?? layout
      return transaction
    }
  }

  @Test("has a valid layout of its own for every keyboard type", arguments: KeyboardType.allCases)
  func layouts(type: KeyboardType) throws {
    var traits = TextInputTraits()
    traits.keyboardType = .known(type)
    for plane in [SystemKeyboard.Plane.letters, .numbers, .symbols] {
      let layout = SystemKeyboard.layout(for: traits, plane: plane, shift: .once)
      try layout.validate()
      #expect(layout.isSystem)
      #expect(layout.rows.joined().contains { $0.role == .delete })
    }
    let layout = SystemKeyboard.layout(for: traits)
    switch type {
    case .URL:
      #expect(layout.key(typing: ".com") != nil && layout.key(typing: " ") == nil)
    case .emailAddress: #expect(layout.key(typing: "@") != nil)
    case .twitter: #expect(layout.key(typing: "#") != nil)
    case .decimalPad: #expect(layout.key(typing: ".") != nil)
    case .numberPad, .asciiCapableNumberPad:
      #expect(layout.key(typing: ".") == nil && layout.key(typing: "7") != nil)
    case .phonePad: #expect(layout.key(typing: "*") != nil && layout.key(typing: "+") != nil)
    case .numbersAndPunctuation:
      #expect(layout.key(typing: "1") != nil && layout.key(typing: "a") == nil)
    default: #expect(layout.key(typing: "a") != nil)
    }
  }

  @Test("shows capitals at the start of a sentence and types what it shows")
  func sentences() throws {
    var document = TextDocument()
    let transactions = try type(
      ["h", "i"].map { .tap(key: "system.\($0)") }
        + [
          .tap(key: "system.plane.numbers"), .tap(key: "system.."),
          .tap(key: "system.plane.letters"), .tap(key: "system.space"), .tap(key: "system.y"),
          .tap(key: "system.o"),
        ], into: &document, TextInputTraits())
    #expect(document.text == "Hi. Yo")
    #expect(transactions[0].layout?.key(typing: "i") != nil)
    #expect(transactions[1].layout == nil)
  }

  @Test(
    "has no capitals of its own where the kind of field says so",
    arguments: [
      KeyboardType.URL, .emailAddress, .numberPad, .phonePad, .decimalPad, .asciiCapableNumberPad,
    ])
  func typeWins(type: KeyboardType) {
    var traits = TextInputTraits()
    traits.keyboardType = .known(type)
    for rule in AutocapitalizationType.allCases {
      traits.autocapitalizationType = .known(rule)
      #expect(Capitalization.rule(for: traits) == .none)
    }
  }

  @Test("has no capitals of its own in secrets, names of accounts and what it does not know")
  func secrets() {
    var traits = TextInputTraits()
    #expect(Capitalization.rule(for: traits) == .sentences)
    traits.autocapitalizationType = .known(.words)
    #expect(Capitalization.rule(for: traits) == .words)
    for type in [TextContentType.password, .newPassword, .username, .oneTimeCode] {
      traits.textContentType = .known(type)
      #expect(Capitalization.rule(for: traits) == .none)
    }
    traits.textContentType = .known(.name)
    #expect(Capitalization.rule(for: traits) == .words)
    traits.isSecureTextEntry = .known(true)
    #expect(Capitalization.rule(for: traits) == .none)
    traits.isSecureTextEntry = .unknown("maybe")
    #expect(Capitalization.rule(for: traits) == .none)
    traits = TextInputTraits()
    traits.autocapitalizationType = .unknown("shouting")
    #expect(Capitalization.rule(for: traits) == .none)
  }

  @Test(
    "knows where a sentence and a word begin",
    arguments: [
      ("", true, true), ("a", false, false), ("a ", false, true), ("a. ", true, true),
      ("a.", false, false), ("a.\" ", true, true), ("a\n", true, true), ("e.g", false, false),
      ("what?) ", true, true), ("好。", true, false), ("  ", true, true), ("a, ", false, true),
    ])
  func boundaries(text: String, sentence: Bool, word: Bool) {
    #expect(Capitalization.capitalizes(after: text, by: .sentences) == sentence)
    #expect(Capitalization.capitalizes(after: text, by: .words) == word)
    #expect(Capitalization.capitalizes(after: text, by: .allCharacters))
    #expect(!Capitalization.capitalizes(after: text, by: .none))
  }

  @Test(
    "makes title case of a first letter as Unicode says",
    arguments: [
      ("éa", "Éa"), ("ß", "Ss"), ("ǆ", "ǅ"), ("i", "I"), ("ı", "I"), ("1a", "1a"), ("", ""),
    ])
  func titlecase(text: String, expected: String) {
    #expect(Capitalization.titlecased(text) == expected)
  }

  @Test("has a shift for one letter and a lock by a long press")
  func shift() throws {
    var traits = TextInputTraits()
    traits.autocapitalizationType = .known(.none)
    var document = TextDocument()
    _ = try type(
      [
        .tap(key: "system.a"), .tap(key: "system.shift"), .tap(key: "system.b"),
        .tap(key: "system.c"), .longPress(key: "system.shift"), .tap(key: "system.d"),
        .tap(key: "system.e"), .tap(key: "system.shift"), .tap(key: "system.f"),
      ], into: &document, traits)
    #expect(document.text == "aBcDEf")
  }

  @Test("does for another keyboard's keys what their text or role says")
  func fallback() throws {
    let layout = KeyboardLayout(rows: [
      [
        Key(id: "b", label: "<b>", insertText: "<b></b>"),
        Key(id: "x", label: "x", insertText: "x"),
        Key(id: "custom", label: "?", role: .custom), Key(id: "s", label: "s", role: .shift),
        Key(id: "d", label: "d", role: .delete), Key(id: "r", label: "r", role: .return),
        Key(id: "sp", label: " ", role: .space), Key(id: "hide", label: "v", role: .dismiss),
        Key(id: "next", label: "n", role: .nextKeyboard),
      ]
    ])
    var document = TextDocument()
    let transactions = try type(
      [
        .tap(key: "b"), .longPress(key: "x"), .tap(key: "custom"), .tap(key: "s"), .tap(key: "x"),
        .tap(key: "x"), .tap(key: "r"), .tap(key: "sp"), .tap(key: "hide"), .tap(key: "next"),
        .longPress(key: "d"), .tap(key: "gone"), .stroke([]), .swipe(.up, count: 1),
      ], into: &document, TextInputTraits(), layout: layout)
    #expect(document.text == "<b></b>xXx\n")
    #expect(transactions[8].actions == [.dismissKeyboard])
    #expect(transactions[9].actions == [.advanceToNextInputMode])
    // It has no say in another keyboard's keys.
    #expect(transactions.allSatisfy { $0.layout == nil && $0.suggestions == nil })
  }

  @Test("has a return key that says what it does", arguments: ReturnKeyType.allCases)
  func returnKey(type: ReturnKeyType) throws {
    var traits = TextInputTraits()
    traits.returnKeyType = .known(type)
    let label =
      switch type {
      case .default: "return"
      case .emergencyCall: "Emergency Call"
      default: type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
      }
    for keyboard: KeyboardType in [.default, .URL, .emailAddress, .webSearch, .twitter] {
      traits.keyboardType = .known(keyboard)
      let keys = SystemKeyboard.layout(for: traits).rows.joined().filter { $0.role == .return }
      #expect(keys.map(\.label) == [label], "\(keyboard)")
    }
    // One that waits for a text types nothing before there is any, and a line break after.
    for waits in [false, true] {
      traits.enablesReturnKeyAutomatically = .known(waits)
      var document = TextDocument()
      _ = try self.type([.tap(key: "system.return")], into: &document, traits)
      #expect(document.text == (waits ? "" : "\n"))
      document = TextDocument("a")
      _ = try self.type([.tap(key: "system.return")], into: &document, traits)
      #expect(document.text == "a\n")
    }
  }

  @Test("moves by swipes, takes suggestions and knows the keys of a hardware keyboard")
  func others() throws {
    var document = TextDocument("one\ntwo")
    func key(_ name: String) -> InputEvent {
      .hardwareKey(HardwareKey(characters: "", name: name))
    }
    _ = try type(
      [
        .swipe(.left, count: 2), .suggestion(index: 0, text: "|"), .swipe(.right, count: 1),
        .hardwareKey(HardwareKey(characters: "é")), key("Home"), key("Delete"), key("End"),
        key("Left"), key("BackSpace"), key("Right"), key("Return"), key("Tab"), key("F1"),
        .hardwareKey(HardwareKey(characters: "c", name: "c", modifiers: [.control])),
        .hardwareKey(HardwareKey(characters: "\u{1B}", name: "Escape")),
        .hardwareKey(HardwareKey(characters: "\n")),
        .hardwareKey(HardwareKey(characters: "\u{1B}")),
      ], into: &document, TextInputTraits())
    #expect(document.text == "one\n|wo\n\t\n")
  }
}

@Suite("A layout")
struct KeyboardLayoutTests {
  private func fault(_ rows: [[Key]]) -> String? {
    do throws(KeyboardLayoutError) {
      try KeyboardLayout(rows: rows).validate()
      return nil
    } catch { return error.message }
  }

  @Test("that cannot be shown is told why")
  func faults() {
    let key = Key(id: "a", label: "a", insertText: "\n")
    #expect(fault([[key]]) == nil)
    #expect(fault([]) == "the layout has no rows; it needs at least one")
    #expect(fault([[key], []]) == "row 1 has no keys")
    #expect(fault([[key, key]]) == "row 0, key 1: a second key has this id")
    #expect(fault([[Key(id: "", label: "a")]]) == "row 0, key 0: the id is empty")
    for label in ["\u{1B}[0m", "\n", "\u{202E}x", "\u{9B}"] {
      #expect(fault([[Key(id: "a", label: label)]])?.contains("label holds a control") == true)
    }
    for width in [0.4, 11, .infinity, .nan, -1] {
      #expect(fault([[Key(id: "a", label: "a", width: width)]])?.contains("width") == true)
    }
    let long = String(repeating: "x", count: 129)
    #expect(fault([[Key(id: "a", label: "a", insertText: long)]])?.contains("insertText") == true)
    let many = (0..<25).map { Key(id: "k\($0)", label: "a") }
    #expect(fault([many]) == "row 0 has 25 keys; at most 24 are allowed")
    #expect(fault((0..<9).map { [Key(id: "k\($0)", label: "a")] })?.contains("9 rows") == true)
  }
}
