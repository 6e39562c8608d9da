import Testing

@testable import TextInput

@Suite("The letter keys of a language")
struct LetterKeysTests {
  private static let languages = [
    nil, "en-GB", "de-DE", "de-CH", "fr-FR", "fr-CH", "sv", "da", "nb", "es",
  ]

  private func labels(_ language: String?, _ type: KeyboardType = .default) -> [String] {
    let layout = SystemKeyboard.layout(
      for: field(type), plane: .letters, shift: .off, letters: LetterKeys(language: language))
    return layout.rows.prefix(3).map {
      $0.filter { $0.role == .character }.map(\.label).joined()
    }
  }

  @Test("stand as on the usual keyboard of the language, with keys for its own letters")
  func rows() {
    #expect(labels(nil) == ["qwertyuiop", "asdfghjkl", "zxcvbnm"])
    #expect(labels("de-DE") == ["qwertzuiopü", "asdfghjklöä", "yxcvbnm"])
    #expect(labels("de_CH") == ["qwertzuiopü", "asdfghjklöä", "yxcvbnm"])
    #expect(labels("fr-FR") == ["azertyuiop", "qsdfghjklm", "wxcvbn'"])
    #expect(labels("fr-CH") == ["qwertzuiopè", "asdfghjkléà", "yxcvbnm"])
    #expect(labels("fr-CA") == ["qwertyuiop", "asdfghjkl", "zxcvbnm"])
    #expect(labels("sv-SE") == ["qwertyuiopå", "asdfghjklöä", "zxcvbnm"])
    #expect(labels("da") == ["qwertyuiopå", "asdfghjklæø", "zxcvbnm"])
    #expect(labels("nb-NO") == ["qwertyuiopå", "asdfghjkløæ", "zxcvbnm"])
    #expect(labels("es-MX") == ["qwertyuiop", "asdfghjklñ", "zxcvbnm"])
    #expect(labels("xx") == labels(nil))
  }

  @Test(
    "make a valid layout of every type in every language, with all of the 26 where there are letters",
    arguments: KeyboardType.allCases)
  func types(_ type: KeyboardType) throws {
    for language in Self.languages {
      let letters = LetterKeys(language: language)
      for plane in [SystemKeyboard.Plane.letters, .numbers, .symbols] {
        for shift in [SystemKeyboard.Shift.off, .once] {
          for letter: Character? in [nil, "a", "o"] {
            let layout = SystemKeyboard.layout(
              for: field(type), plane: plane, shift: shift, letters: letters, variantsOf: letter)
            try layout.validate()
            #expect(layout.isSystem)
          }
        }
      }
      let layout = SystemKeyboard.layout(
        for: field(type), plane: .letters, shift: .off, letters: letters)
      let typed = layout.rows.joined().compactMap(\.insertText).filter {
        $0.count == 1 && $0.first?.isLetter == true
      }
      switch type {
      case .numberPad, .asciiCapableNumberPad, .decimalPad, .phonePad: #expect(typed.isEmpty)
      default: #expect(Set("abcdefghijklmnopqrstuvwxyz".map(String.init)).isSubset(of: typed))
      }
    }
  }

  @Test("give nothing but ASCII to a field that asks for it, by a long press neither")
  func ascii() throws {
    for type in [KeyboardType.asciiCapable, .URL, .emailAddress] {
      for language in Self.languages {
        #expect(labels(language, type).allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
      }
      #expect(labels("de", type) == ["qwertzuiop", "asdfghjkl", "yxcvbnm"])
      var rig = TypingRig("", field(type), language: "de")
      try rig.handle(.longPress(key: "system.u"))
      #expect(rig.text == "u" && rig.layout.rows.count == 4)
    }
  }

  @Test("show the variants of a letter on a long press, until the next thing that is done")
  func longPress() throws {
    var rig = TypingRig("caf", language: "fr")
    let keys = rig.layout
    let shown = try rig.handle(.longPress(key: "system.e"))
    #expect(shown.edits.isEmpty)
    #expect(rig.layout.rows.first?.map(\.label).joined() == "eéèêëēėęě")
    #expect(Array(rig.layout.rows.dropFirst()) == keys.rows, "the others stay where they are")
    try rig.handle(.tap(key: "system.variant.é"))
    #expect(rig.text == "café" && rig.layout == keys)
    // Or the user goes on without one.
    try rig.handle(.longPress(key: "system.c"))
    #expect(rig.layout.rows.count == keys.rows.count + 1)
    try rig.handle(.tap(key: "system.s"))
    #expect(rig.text == "cafés" && rig.layout == keys)
    try rig.handle(.longPress(key: "system.c"))
    try rig.handle(.tap(key: "system.plane.numbers"))
    try rig.handle(.tap(key: "system.plane.letters"))
    #expect(rig.layout == keys)
    // One without variants types what it shows.
    try rig.handle(.longPress(key: "system.x"))
    #expect(rig.text == "cafésx")
  }

  @Test("follow the user to another language, and the field to another type")
  func changes() throws {
    var rig = TypingRig(language: "en")
    let english = rig.layout
    rig.keyboard.configuration.letters = LetterKeys(language: "fr")
    let french = rig.keyboard.currentLayout(in: rig.document, traits: rig.traits)
    #expect(french.rows[0].first?.label == "a" && english.rows[0].first?.label == "q")
    var traits = rig.traits
    traits.returnKeyType = .known(.search)
    let search = rig.keyboard.currentLayout(in: rig.document, traits: traits)
    #expect(search.rows.last?.last?.label == "Search")
    traits.keyboardType = .known(.numberPad)
    let pad = rig.keyboard.currentLayout(in: rig.document, traits: traits)
    #expect(pad == SystemKeyboard.layout(for: traits))
  }

  @Test("have the language's own variants first, each once, and a bound")
  func variants() {
    #expect(LetterKeys(language: "de").variants(of: "s").first == "ß")
    #expect(LetterKeys(language: "de").variants(of: "a").hasPrefix("äàá"))
    #expect(LetterKeys(language: "fr").variants(of: "c") == "çćč")
    for language in Self.languages + ["it", "pt", "cs", "hu"] {
      for letter in "abcdefghijklmnopqrstuvwxyz'ü" {
        let variants = LetterKeys(language: language).variants(of: letter)
        #expect(Set(variants).count == variants.count && !variants.contains(letter))
        #expect(variants.count <= LetterKeys.mostVariants)
      }
    }
  }

  @Test("are shown as capitals with the others; a letter without a capital stays")
  func capitals() throws {
    var rig = TypingRig("", language: "de")
    try rig.handle(.tap(key: "system.shift"))
    #expect(rig.layout.key(id: "system.ü")?.label == "Ü")
    try rig.handle(.longPress(key: "system.s"))
    #expect(rig.layout.key(id: "system.variant.ß")?.label == "ß")
    #expect(rig.layout.key(id: "system.variant.ś")?.label == "Ś")
    try rig.handle(.tap(key: "system.variant.ś"))
    #expect(rig.text == "Ś")
    // The shift that it used is over.
    #expect(rig.layout.key(id: "system.ü")?.label == "ü")
  }
}
