import HostSimulation
import PluginProtocol
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Common words")
struct CommonWordListTests {
  private static let model = """

    \\data\\
    ngram 1=9
    ngram 2=1

    \\1-grams:
    1 <unk>
    1 <s>
    7 hello
    90 the
    12 don't
    90 a
    x broken
    5
    99999999999999999999999 much
    3 b\u{1B}[31m
    8 2nd
    40 Ångström

    \\2-grams:
    900 of the

    """

  private func home(_ files: [String: String]) throws -> (TemporaryHome, String) {
    let home = try TemporaryHome()
    let folder = home.work + "/models"
    try Files.makeDirectory(folder)
    for (name, text) in files { try Files.write(text, to: "\(folder)/\(name)") }
    return (home, folder)
  }

  @Test("are the most counted first, words alone, and of no other part of the model")
  func words() {
    #expect(
      CommonWordList.words(in: Array(Self.model.utf8))
        == ["the", "a", "Ångström", "don't", "hello"])
    #expect(CommonWordList.words(in: Array("90 the\n".utf8)).isEmpty)
    #expect(CommonWordList.words(in: []).isEmpty)
    #expect(
      CommonWordList.words(in: Array("\\1-grams:\n9 \u{FF}".utf8).dropLast() + [0xFF]).isEmpty)
  }

  @Test("have a bound, in number and in length")
  func bounds() {
    let many = (0..<3_000).map { number in
      "\(number) w"
        + String(number).map { String(UnicodeScalar(UInt8($0.asciiValue! + 49))) }.joined()
    }
    let long = "9999 " + String(repeating: "x", count: 41)
    let text = "\\1-grams:\n" + (many + [long]).joined(separator: "\n")
    let words = CommonWordList.words(in: Array(text.utf8))
    #expect(words.count == CommonWordList.maximumWords)
    #expect(words.first == "wcjjj")
  }

  @Test("damaged models are read as far as they go")
  func damage() {
    var random = SplitMix(seed: 3)
    for _ in 0..<2_000 {
      var bytes = Array(Self.model.utf8)
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      for word in CommonWordList.words(in: bytes) {
        #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 })
      }
    }
  }

  @Test("are those of the language's region, else of any, and a language without any says so")
  func languages() throws {
    func model(_ word: String) -> String { "\\1-grams:\n1 \(word)\n" }
    let (home, folder) = try home([
      "de_AT.lm": model("Jänner"), "de_DE.lm": model("Januar"), "pt_BR.lm": model("janeiro"),
      "en_US.lm": model("January"),
    ])
    for (language, word) in [
      ("de-AT", "Jänner"), ("de-CH", "Januar"), ("de", "Januar"), ("pt-PT", "janeiro"),
      ("en_GB", "January"),
    ] {
      #expect(try CommonWordList(language: language, folder: folder).words == [word], "\(language)")
    }
    for (language, folder) in [("it", folder), ("de", folder + "/none"), ("", folder)] {
      #expect {
        try CommonWordList(language: language, folder: folder)
      } throws: { "\($0)".contains("onboard-data") }
    }
    _ = home
  }

  @Test("a keyboard gets those of its language behind the user's own entries, each word once")
  func lexicon() throws {
    var german = SimulatedHost.entry("one")
    german.primaryLanguage = "de-DE"
    let host = SimulatedHost(
      keyboards: [german, SimulatedHost.entry("two")],
      lexicon: [LexiconEntry(userInput: "und", documentText: "und so weiter")])
    var asked: [String] = []
    host.core.commonWords = {
      asked.append($0)
      return $0 == "de-DE" ? ["der", "und"] : ["the"]
    }
    host.open("a")
    host.focus("a")
    host.settle()
    host.say(.lexicon(id: 5), from: "one")
    host.feed(.user(.selectKeyboard("two")))
    host.settle()
    host.say(.lexicon(id: 6), from: "two")
    let replies = host.sent.compactMap { _, message in
      if case .lexiconReply(_, let entries) = message { entries.map(\.documentText) } else { nil }
    }
    #expect(replies == [["und so weiter", "der"], ["und so weiter", "the"]])
    #expect(asked == ["de-DE", "en"])
  }

  @Test(
    "of the installed models are common ones",
    .enabled(
      if: (try? CommonWordList(language: "en-US")) != nil,
      "the package onboard-data is not installed"))
  func installed() throws {
    let words = try CommonWordList(language: "en-US").words
    #expect(words.count == CommonWordList.maximumWords)
    #expect(words.prefix(50).contains("the"))
    let reply = HostMessage.lexiconReply(
      id: 1, words.map { LexiconEntry(userInput: $0, documentText: $0) })
    #expect(reply.encoded().count <= ProtocolLimits.lineBytes)
  }
}
