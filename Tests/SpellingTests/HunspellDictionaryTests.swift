import TestSupport
import Testing
import TextInput

@testable import Spelling

/// A dictionary of a few words, in a folder of its own.
private final class DictionaryFolder {
  let path: String

  init(_ name: String, encoding: String = "UTF-8", words: [[UInt8]] = [Array("hello".utf8)]) throws
  {
    path = try Files.temporaryDirectory()
    try Files.write("SET \(encoding)\nTRY aehlo\n", to: "\(path)/\(name).aff")
    var bytes = Array("\(words.count)\n".utf8)
    for word in words { bytes += word + [0x0A] }
    try Files.write(bytes, to: "\(path)/\(name).dic")
  }

  deinit { Files.remove(path) }
}

@Suite("A dictionary in Hunspell's form")
struct HunspellDictionaryTests {
  @Test("knows the words of the installed American English")
  func english() throws {
    let dictionary = try HunspellDictionary(language: "en-US")
    for word in ["hello", "don't", "Paris", "I"] { #expect(dictionary.isCorrect(word), "\(word)") }
    for word in ["helo", "teh", "dont", "xqzt", ""] {
      #expect(!dictionary.isCorrect(word), "\(word)")
    }
    #expect(dictionary.suggestions(for: "teh").contains("the"))
    #expect(dictionary.suggestions(for: "recieve").first == "receive")
    #expect(dictionary.suggestions(for: "").isEmpty)
  }

  @Test("is opened and closed in several threads at once")
  func threads() async throws {
    let folder = try DictionaryFolder("xx", words: [Array("élan".utf8)])
    let path = folder.path
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            let dictionary = try HunspellDictionary(language: "xx", folders: [path])
            // Capitals are found by the table that all dictionaries share.
            guard dictionary.isCorrect("ÉLAN"), !dictionary.isCorrect("elan") else { return false }
          }
          return true
        }
      }
      for try await wasRight in group { #expect(wasRight) }
    }
  }

  @Test("takes any word: long ones, ones of other scripts, ones that no encoding has")
  func anyWord() throws {
    let dictionary = try HunspellDictionary(language: "en")
    for word in [
      String(repeating: "a", count: 100_000), "👨‍👩‍👧‍👦", "क्ष", "שלום", "\u{1112}\u{1161}\u{11AB}", "a\0b",
      "e\u{301}\u{301}\u{301}", "\r\n", "%s%n", String(repeating: "e\u{301}", count: 40),
    ] {
      #expect(!dictionary.isCorrect(word))
      _ = dictionary.suggestions(for: word)
    }
    let folder = try DictionaryFolder(
      "xx", encoding: "ISO8859-1", words: [[0x63, 0x61, 0x66, 0xE9]])
    let old = try HunspellDictionary(language: "xx", folders: [folder.path])
    #expect(old.isCorrect("café") && !old.isCorrect("cafe") && !old.isCorrect("каша"))
  }

  @Test(
    "is found by its language",
    arguments: [
      ("en_US", "en-US", true), ("en_GB", "en-US", true), ("en_GB", "en", true),
      ("de_DE", "de", true),
      ("de_DE", "de-AT", true), ("de", "de-AT", true), ("de_DE", "en", false),
      ("de_DE", "d", false),
      ("den_XX", "de", false), ("de_DE", "", false), ("de_DE", "../de", false), ("xx", "xx", true),
    ])
  func found(name: String, language: String, isFound: Bool) throws {
    let folder = try DictionaryFolder(name)
    let found = HunspellDictionary.find(language, ["/nowhere", folder.path])
    #expect(found == (isFound ? "\(folder.path)/\(name)" : nil))
  }

  @Test("of two regions has the one that was asked for, or the usual one")
  func regions() throws {
    let folder = try DictionaryFolder("pt_BR")
    for name in ["pt_PT", "pt_AO"] {
      try Files.write("SET UTF-8\n", to: "\(folder.path)/\(name).aff")
      try Files.write("1\nola\n", to: "\(folder.path)/\(name).dic")
    }
    #expect(HunspellDictionary.find("pt-BR", [folder.path]) == "\(folder.path)/pt_BR")
    #expect(HunspellDictionary.find("pt-MZ", [folder.path]) == "\(folder.path)/pt_PT")
    // An affix file alone is no dictionary.
    try Files.write("SET UTF-8\n", to: "\(folder.path)/fr_FR.aff")
    #expect(HunspellDictionary.find("fr", [folder.path]) == nil)
  }

  @Test("that is missing, or in an encoding that is not read, is told")
  func problems() throws {
    let folder = try DictionaryFolder("xx", encoding: "KOI8-R")
    let path = folder.path
    #expect(
      throws: SpellingProblem.unusable(
        path: "\(path)/xx.aff", reason: "it is in the encoding `KOI8-R`")
    ) { _ = try HunspellDictionary(language: "xx", folders: [path]) }
    #expect(throws: SpellingProblem.noDictionary(language: "yy", folders: [path])) {
      _ = try HunspellDictionary(language: "yy", folders: [path])
    }
    #expect(
      SpellingProblem.noDictionary(language: "yy", folders: ["/a"]).description.contains(
        "hunspell-"))
  }

  @Test(
    "corrects what is near enough, and nothing else",
    arguments: [
      ("teh", "the"), ("recieve", "receive"), ("dont", "don't"), ("i", "I"), ("im", "I'm"),
      ("Teh", "The"), ("monday", "Monday"), ("seperate", "separate"), ("definately", "definitely"),
      ("adn", "and"), ("becuase", "because"), ("hte", "the"), ("the", nil), ("Paris", nil),
      ("xqzt", nil), ("HTML", nil), ("iPhonne", nil), ("NASAA", nil), ("helllllo", nil),
      ("don't", nil),
      ("teh1", nil),
    ] as [(String, String?)])
  func corrections(word: String, expected: String?) throws {
    let dictionary = try HunspellDictionary(language: "en-US")
    let answer = WordPredictor(language: "en-US").answer(
      WordQuestion(word: word, wantsCorrection: true, wantsPrediction: true), dictionary: dictionary
    )
    #expect(answer.correction == expected, "\(answer)")
    if let expected { #expect(Array(answer.suggestions.prefix(2)) == [word, expected]) }
    #expect(Set(answer.suggestions).count == answer.suggestions.count)
  }
}
