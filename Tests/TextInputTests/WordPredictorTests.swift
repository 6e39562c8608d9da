import Testing

@testable import TextInput

/// A dictionary of given words and suggestions.
final class PlayedDictionary: SpellingDictionary {
  let words: Set<String>
  let suggested: [String: [String]]
  private(set) var asked: [String] = []

  init(_ words: Set<String> = [], _ suggested: [String: [String]] = [:]) {
    self.words = words
    self.suggested = suggested
  }

  func isCorrect(_ word: String) -> Bool {
    asked.append(word)
    return words.contains(word)
  }

  func suggestions(for word: String) -> [String] { suggested[word] ?? [] }
}

@Suite("Words")
struct WordPredictorTests {
  private func answer(
    _ word: String, _ dictionary: PlayedDictionary? = PlayedDictionary(),
    lexicon: [String: String] = [:], language: String? = nil, corrects: Bool = true,
    predicts: Bool = true
  ) -> WordAnswer {
    WordPredictor(
      lexicon: lexicon.sorted { $0.key < $1.key }.map {
        LexiconEntry(userInput: $0.key, documentText: $0.value)
      }, language: language
    ).answer(
      WordQuestion(word: word, wantsCorrection: corrects, wantsPrediction: predicts),
      dictionary: dictionary)
  }

  @Test(
    "are as far apart as the fewest changes",
    arguments: [
      ("", "", 0), ("a", "", 1), ("teh", "the", 1), ("abc", "abc", 0), ("kitten", "sitting", 3),
      ("ca", "abc", 3), ("ab", "ba", 1), ("flaw", "lawn", 2), ("e\u{301}a", "ea", 1),
    ])
  func distance(one: String, other: String, expected: Int) {
    #expect(EditDistance.between(Array(one), Array(other), limit: 9) == expected)
    #expect(EditDistance.between(Array(other), Array(one), limit: 9) == expected)
    if expected > 0 {
      #expect(EditDistance.between(Array(one), Array(other), limit: expected - 1) == nil)
    }
  }

  @Test("are corrected by distance, by the lexicon, by what is common, by the dictionary's order")
  func order() {
    let far = PlayedDictionary([], ["wrld": ["wild", "world"], "abcdef": ["abxxef", "abcxef"]])
    #expect(answer("wrld", far).correction == "wild")
    #expect(answer("wrld", far, language: "en").correction == "world", "a common word goes first")
    #expect(answer("abcdef", far).correction == "abcxef", "the nearer goes first")
    #expect(answer("wrld", far, lexicon: ["Wrlda": "Wrlda"]).correction == "Wrlda")
    #expect(answer("anna", lexicon: ["Anna": "Anna"]).correction == "Anna")
    #expect(answer("Anna", lexicon: ["Anna": "Anna"]).correction == nil)
    #expect(answer("wrld", nil).correction == nil, "nobody says that it is misspelt")
    #expect(answer("wrld", far, corrects: false).correction == nil)
    #expect(answer("wrld", far, corrects: false).suggestions.isEmpty)
  }

  @Test("stay when what was meant is not clear")
  func stay() {
    let dictionary = PlayedDictionary(
      [],
      [
        "ot": ["to"], "abcde": ["abxye"], "house": ["mouse"], "alot": ["a lot"],
        "wellknown": [
          "well-known"
        ], "hte": ["the"],
      ])
    for word in ["ot", "abcde", "house", "alot", "wellknown"] {
      #expect(answer(word, dictionary).correction == nil, "\(word)")
    }
    #expect(answer("hte", dictionary).correction == "the", "the first two changed places")
    #expect(answer("alot", dictionary).suggestions.contains("a lot"))
  }

  @Test("that begin as typed are suggested, the user's first")
  func predictions() {
    let lexicon = ["Henry": "Henry", "he": "hectare", "nl": "a\nb"]
    let found = answer("he", nil, lexicon: lexicon, language: "en").suggestions
    #expect(Array(found.prefix(2)) == ["hectare", "Henry"])
    #expect(found.contains("her") && !found.contains("he"))
    #expect(answer("He", nil, language: "en").suggestions.allSatisfy { $0.hasPrefix("He") })
    #expect(answer("nl", nil, lexicon: lexicon).suggestions.isEmpty, "a bar has one line")
    #expect(answer("he", nil, language: "de").suggestions.isEmpty)
    #expect(answer("he", nil, lexicon: lexicon, predicts: false).suggestions.isEmpty)
  }

  @Test("that are long or strange cost nothing and break nothing")
  func strange() {
    let dictionary = PlayedDictionary()
    for word in ["", String(repeating: "a", count: 129), "👍", "12", "a1", "-", "'", "’’"] {
      #expect(answer(word, dictionary, language: "en").correction == nil)
    }
    #expect(dictionary.asked.isEmpty)
  }
}

/// The system keyboard with answers that come between the keys.
@Suite("Words on the system keyboard")
struct WordTypingTests {
  private struct Rig {
    var typing: TypingRig
    var dictionary: PlayedDictionary
    var predictor: WordPredictor
    var isLate = false

    init(
      _ text: String = "", _ traits: TextInputTraits = TextInputTraits(),
      lexicon: [LexiconEntry] = [],
      _ change: (inout SystemKeyboardSettings) -> Void = { _ in }
    ) {
      typing = TypingRig(text, traits, change)
      dictionary = PlayedDictionary(
        ["the", "cat", "don't"], ["teh": ["the", "tech"], "dont": ["don't"], "naïv": ["naïve"]])
      predictor = WordPredictor(lexicon: lexicon)
    }

    mutating func answer() {
      guard
        let question = typing.keyboard.question(in: typing.document, traits: typing.traits)
      else { return }
      typing.keyboard.take(
        predictor.answer(question, dictionary: dictionary), in: typing.document,
        traits: typing.traits)
    }

    mutating func type(_ text: String) throws -> String {
      for character in text {
        try typing.type(String(character))
        if !isLate { answer() }
      }
      return typing.text
    }

    var bar: [String] { typing.keyboard.suggestions(for: typing.document) }
  }

  @Test(
    "are corrected at their end, and a backspace takes that back",
    arguments: [
      ("teh ", "the "), ("teh.", "the."), ("teh\n", "the\n"), ("teh", "teh"), ("teh ⌫", "teh "),
      ("teh ⌫⌫ ", "teh "), ("teh ⌫x", "teh x"), ("(teh)", "(the)"), ("xteh ", "xteh "),
      ("1teh ", "1teh "), ("dont ", "don’t "), ("dont ⌫", "dont "), ("teh  ", "the. "),
      ("teh--", "teh—"), ("cat ", "cat "), ("teh teh ", "the the "), ("teh⌫h ", "the "),
      ("@teh ", "@teh "), ("teh' ", "teh’ "),
    ])
  func corrected(keys: String, text: String) throws {
    var rig = Rig()
    #expect(try rig.type(keys) == text)
  }

  @Test("stay when the answer is late, or the field or the user says so")
  func bounds() throws {
    var rig = Rig()
    rig.isLate = true
    #expect(try rig.type("teh ") == "teh ")
    rig.answer()
    #expect(rig.typing.text == "teh ", "what is typed is not changed afterwards")
    rig = Rig { $0[.autocorrection] = false }
    #expect(try rig.type("teh ") == "teh ")
    for traits in [
      field(.URL), field(.emailAddress), field(content: .username), field(content: .name),
      field(.numbersAndPunctuation),
    ] {
      rig = Rig("", traits)
      #expect(try rig.type("teh.") == "teh.")
    }
    var traits = TextInputTraits()
    traits.autocorrectionType = .known(.no)
    rig = Rig("", traits)
    #expect(try rig.type("teh ") == "teh ")
    #expect(rig.dictionary.asked.isEmpty)
    traits = TextInputTraits()
    traits.isSecureTextEntry = .known(true)
    rig = Rig("", traits, lexicon: [LexiconEntry(userInput: "Tehran", documentText: "Tehran")])
    #expect(try rig.type("teh ") == "teh ")
    #expect(rig.dictionary.asked.isEmpty && rig.bar.isEmpty, "nobody is asked about a secret")
    traits = field(content: .name)
    traits.autocorrectionType = .known(.yes)
    rig = Rig("", traits)
    #expect(try rig.type("teh ") == "the ")
    rig = Rig("", field(.asciiCapable))
    #expect(try rig.type("teh dont ") == "the don't ")
  }

  @Test("of another's making are not corrected")
  func others() throws {
    var rig = Rig("teh")
    #expect(try rig.type(" ") == "teh ")
    rig = Rig()
    _ = try rig.type("teh")
    rig.typing.document.select(1..<1)
    rig.typing.document.select(3..<3)
    #expect(try rig.type(" ") == "teh ", "the cursor was elsewhere meanwhile")
    rig = Rig("x")
    rig.typing.document.select(0..<0)
    #expect(try rig.type("teh") == "tehx")
    #expect(rig.bar.isEmpty, "the word goes on behind the cursor")
  }

  @Test("are suggested, for the text that they were found for; a pick takes the word's place")
  func picks() throws {
    var rig = Rig("", lexicon: [LexiconEntry(userInput: "Tehran", documentText: "Tehran")])
    _ = try rig.type("teh")
    #expect(rig.bar == ["teh", "the", "Tehran"])
    var picked = rig
    try picked.typing.handle(.suggestion(index: 2, text: "Tehran"))
    #expect(picked.typing.text == "Tehran ")
    #expect(picked.bar.isEmpty)
    #expect(try picked.type(",") == "Tehran,", "the sign takes the place of the space")
    picked = rig
    try picked.typing.handle(.suggestion(index: 0, text: "teh"))
    #expect(try picked.type("x ") == "teh x ", "it is kept as it was typed")
    rig.isLate = true
    _ = try rig.type("r")
    #expect(rig.bar.isEmpty, "the text is another")
    rig.answer()
    #expect(rig.bar == ["Tehran"])

    rig = Rig("", lexicon: [LexiconEntry(userInput: "Tehran", documentText: "Tehran")]) {
      $0.maximumSuggestions = 1
      $0[.smartInsertDelete] = false
    }
    _ = try rig.type("tehr")
    #expect(rig.bar == ["Tehran"])
    try rig.typing.handle(.suggestion(index: 0, text: "Tehran"))
    #expect(rig.typing.text == "Tehran")
    rig = Rig { $0.maximumSuggestions = 0 }
    _ = try rig.type("teh")
    #expect(rig.bar.isEmpty)
    #expect(try rig.type(" ") == "the ")
  }
}
