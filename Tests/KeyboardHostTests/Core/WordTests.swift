import Glibc
import HostSimulation
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Words and picks")
struct WordTests {
  private func host(keyboards: [KeyboardEntry] = []) -> SimulatedHost {
    let host = SimulatedHost(keyboards: keyboards)
    host.open("a", text: "x ")
    host.focus("a")
    return host
  }

  private func answer(_ host: SimulatedHost, _ correction: String?, _ suggestions: [String]) {
    guard let asked = host.asked.last else { return }
    host.feed(
      .wordAnswer(
        asked.0, revision: asked.revision,
        WordAnswer(word: asked.2.word, correction: correction, suggestions: suggestions)))
  }

  @Test("a key is typed before anybody is asked, and each text is asked about once")
  func asksAfterwards() {
    let host = host()
    var order: [String] = []
    host.observe = { effect in
      switch effect {
      case .handled: order.append("handled")
      case .present: order.append("present")
      case .ask: order.append("ask")
      default: break
      }
    }
    host.tap("system.t")
    #expect(host.text("a") == "x t")
    #expect(order.last == "ask" && order.first == "handled")
    #expect(host.asked.map(\.2.word) == ["t"])
    host.feed(.tick)
    host.feed(.appEdit(DocumentID("a"), .select(3..<3)))
    #expect(host.asked.count == 1)
    host.tap("system.e")
    host.tap("system.h")
    #expect(host.asked.map(\.2.word) == ["t", "te", "teh"])
    answer(host, "the", ["teh", "the"])
    #expect(host.presentations.last?.suggestions == ["teh", "the"])
    host.tap("system.space")
    #expect(host.text("a") == "x the ")
    #expect(host.presentations.last?.suggestions == [])
    host.tap("system.delete")
    #expect(host.text("a") == "x teh ")
  }

  @Test("an answer that comes when the text is another counts for nothing")
  func late() {
    let host = host()
    for key in ["t", "e", "h", "space"] { host.tap("system.\(key)") }
    answer(host, "the", ["teh", "the"])
    #expect(host.text("a") == "x teh ")
    #expect(host.presentations.last?.suggestions == [])
    host.tap("system.t")
    host.feed(.appEdit(DocumentID("a"), .replaceText("other", selection: nil)))
    answer(host, "the", ["the"])
    #expect(host.presentations.last?.suggestions == [] && host.text("a") == "other")
    host.feed(.close(DocumentID("a")))
    answer(host, "the", ["the"])
    host.feed(.wordAnswer(DocumentID("nobody"), revision: 0, WordAnswer(word: "x")))
    #expect(host.rejections.isEmpty)
  }

  @Test("nobody is asked about a secret, nor about one that is shown, nor for another keyboard")
  func secrets() {
    let host = host()
    host.open("secret", secure)
    host.focus("secret")
    for key in ["t", "e"] { host.tap("system.\(key)") }
    host.feed(.traits(DocumentID("secret"), TextInputTraits()))
    for key in ["h", "space", "space"] { host.tap("system.\(key)") }
    #expect(host.asked.isEmpty)
    #expect(host.text("secret") == "teh  ", "no rule holds in what was secure once")
    let other = self.host(keyboards: [SimulatedHost.entry("one")])
    other.settle()
    for key in ["a", "b"] { other.tap(key) }
    other.settle()
    other.type("q")
    other.settle()
    #expect(other.asked.isEmpty)
  }

  @Test("a pick applies once, and only to the text that it was shown for")
  func picks() {
    let host = host()
    host.tap("system.t")
    answer(host, nil, ["tree", "top"])
    let pick = UserInput.event(.suggestion(index: 0, text: "tree"))
    host.feed(.user(pick))
    host.feed(.user(pick))
    #expect(host.text("a") == "x tree ")
    #expect(host.handled.map(\.reason).suffix(2) == [.refused([.noKeyboardEnabled]), .outdated])
    host.tap("system.t")
    answer(host, nil, ["tree"])
    host.tap("system.e")
    host.feed(.user(pick))
    #expect(host.text("a") == "x tree te", "the bar was that of another text")
    host.feed(.user(.event(.suggestion(index: 9, text: "never shown"))))
    #expect(host.text("a") == "x tree te")
    #expect(host.rejections.isEmpty)
  }

  @Test("a pick from a keyboard's bar applies once, however fast it is tapped")
  func keyboardPicks() {
    let host = host(keyboards: [SimulatedHost.entry("one")])
    host.settle()
    host.behaviour = { _ in .answer(afterMilliseconds: 20) }
    for _ in 0..<3 { host.feed(.user(.event(.suggestion(index: 0, text: "word")))) }
    host.settle()
    #expect(host.text("a") == "x word")
    #expect(host.handled.map(\.reason) == [.keyboardAnswered, .outdated, .outdated])
    // One that was tapped while an earlier key was on its way is of the text before that.
    host.tap("b")
    host.feed(.user(.event(.suggestion(index: 0, text: "word"))))
    host.settle()
    #expect(host.text("a") == "x wordb")
  }

  @Test("a dictionary that takes its time keeps no key waiting")
  func slow() throws {
    let loop = PollLoop()
    let service = WordService(loop: loop, predictor: WordPredictor()) { SlowDictionary() }
    var answers: [String] = []
    for word in ["a", "ab", "abc", "abcd"] {
      service.ask(
        WordQuestion(word: word, wantsCorrection: true, wantsPrediction: true)
      ) { answers.append($0.word) }
    }
    // All were asked, and nothing was answered: nobody waited for the first.
    #expect(answers.isEmpty)
    for _ in 0..<200 where answers.isEmpty { try loop.run(milliseconds: 100) }
    for _ in 0..<3 { try loop.run(milliseconds: 50) }
    #expect(answers == ["abcd"], "only the last question counts")
  }

  @Test("without a dictionary the lexicon answers")
  func noDictionary() throws {
    let loop = PollLoop()
    let service = WordService(
      loop: loop,
      predictor: WordPredictor(lexicon: [LexiconEntry(userInput: "Anna", documentText: "Anna")])
    ) { nil }
    var answer: WordAnswer?
    service.ask(WordQuestion(word: "an", wantsCorrection: true, wantsPrediction: true)) {
      answer = $0
    }
    for _ in 0..<200 where answer == nil { try loop.run(milliseconds: 100) }
    #expect(answer == WordAnswer(word: "an", suggestions: ["Anna"]))
  }
}

private final class SlowDictionary: SpellingDictionary {
  func isCorrect(_ word: String) -> Bool {
    usleep(300_000)
    return false
  }
  func suggestions(for word: String) -> [String] { [] }
}
