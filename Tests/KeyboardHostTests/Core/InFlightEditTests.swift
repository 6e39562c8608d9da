import HostSimulation
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

/// The app changes the text while a keyboard's answer is on its way.
@Suite("App edits in flight")
struct InFlightEditTests {
  private func scalars(_ text: String?) -> [UInt32] { text?.unicodeScalars.map(\.value) ?? [] }

  @Test(
    "the answer is made anew for the text as it is then",
    arguments: [
      ("👨‍👩‍👧‍👦🇫🇷", 1..<1, "👨‍👩‍👧‍👦a🇫🇷"), ("e\u{301}x", 0..<1, "ax"), ("한글", 1..<1, "한a글"),
      ("क्ष", 0..<0, "aक्ष"), ("a\r\nb", 2..<2, "a\r\nab"), ("שלום", 2..<3, "שלaם"),
    ])
  func replaced(text: String, selection: Range<Int>, expected: String) {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 30) }
    host.open("a", text: "old")
    host.focus("a")
    host.settle()
    host.tap("a")
    host.advance(milliseconds: 10)
    host.feed(.appEdit(DocumentID("a"), .replaceText(text, selection: selection)))
    host.settle()
    #expect(scalars(host.text("a")) == scalars(expected))
    #expect(host.handled.map(\.reason) == [.keyboardAnswered])
    #expect(host.core.staleAnswers == 1)
  }

  @Test("in every script, at every place, for a letter and a deletion", arguments: ScriptSample.all)
  func everywhere(sample: ScriptSample) {
    let text = sample.text
    for position in 0...text.count {
      let cut = text.index(text.startIndex, offsetBy: position)
      let head = String(text[..<cut])
      let tail = String(text[cut...])
      for (key, expected) in [
        ("a", head + "a" + tail), ("delete", String(head.dropLast()) + tail),
      ] {
        let host = SimulatedHost()
        host.behaviour = { _ in .answer(afterMilliseconds: 30) }
        host.open("a", text: "old")
        host.focus("a")
        host.settle()
        host.tap(key)
        host.advance(milliseconds: 10)
        host.feed(
          .appEdit(DocumentID("a"), .replaceText(text, selection: position..<position)))
        host.settle()
        let place = "\(sample.name), \(position), \(key)"
        #expect(scalars(host.text("a")) == scalars(expected), "\(place)")
        #expect(host.handled.map(\.reason) == [.keyboardAnswered], "\(place)")
        #expect(host.core.staleAnswers == 1, "\(place)")
      }
    }
  }

  @Test("twice, the system keyboard types; the text is the app's with the key's in it")
  func twice() {
    let host = SimulatedHost()
    host.behaviour = { _ in .answer(afterMilliseconds: 30) }
    host.open("a", text: "old")
    host.focus("a")
    host.settle()
    host.tap("a")
    for text in ["🇫🇷", "🇩🇪"] {
      host.advance(milliseconds: 20)
      host.feed(.appEdit(DocumentID("a"), .replaceText(text, selection: 0..<0)))
      host.advance(milliseconds: 11)
    }
    host.settle()
    #expect(scalars(host.text("a")) == scalars("a🇩🇪"))
    #expect(host.handled.map(\.reason) == [.staleTwice])
  }

  @Test("what is composed becomes text when the app moves the cursor, and the key comes after it")
  func composed() {
    let host = SimulatedHost(keyboards: [])
    host.open("a", text: "🇫🇷")
    host.focus("a")
    host.feed(.appEdit(DocumentID("a"), .select(0..<0)))
    let revision = host.core.text(of: DocumentID("a"))?.revision ?? 0
    host.feed(.appEdit(DocumentID("a"), .select(0..<0)))
    #expect(host.core.text(of: DocumentID("a"))?.revision == revision, "nothing changed")
    host.type("é")
    #expect(scalars(host.text("a")) == scalars("é🇫🇷"))
  }
}
