import Playground
import TestSupport
import Testing

@Suite("What a terminal sends")
struct TerminalReaderTests {
  /// What a person did, of characters and then a pause.
  private func read(_ text: String, with reader: inout TerminalReader) -> [PlayInput] {
    var found: [PlayInput] = []
    func take(_ unit: TerminalReader.Unit) {
      if let input = reader.take(unit) { found.append(input) }
      if let held = reader.takeHeld() { found.append(held) }
    }
    for scalar in text.unicodeScalars { take(.character(scalar.value)) }
    take(.pause)
    return found
  }

  private func read(_ text: String) -> [PlayInput] {
    var reader = TerminalReader()
    return read(text, with: &reader)
  }

  @Test("characters are typed, and control characters are keys")
  func characters() {
    #expect(read("aä👩") == [.character("a"), .character("ä"), .character("👩")])
    #expect(
      read("\t\r\n\u{7F}\u{8}")
        == [.key(.tab), .key(.enter), .key(.enter), .key(.backspace), .key(.backspace)])
    #expect(read("\u{3}") == [.quit])
    #expect(read("\u{1}\u{85}") == [.character("\u{85}")])
  }

  @Test(
    "keys by other sequences than the terminal's description has are keys, and none becomes text",
    arguments: [
      ("[1~", PlayInput.Key.home), ("[4~", .end), ("[7~", .home), ("[H", .home), ("[F", .end),
      ("[3~", .delete), ("[1;2D", .textLeft), ("[Z", .backTab), ("[2~", nil), ("[5~", nil),
      ("[1;5C", nil), ("[?1;2c", nil), ("[200~[201~", nil), ("[38;5;1m", nil), ("[I", nil),
    ])
  func sequences(_ text: String, _ key: PlayInput.Key?) {
    let sent = text.split(separator: "[").map { "\u{1B}[" + $0 }.joined()
    #expect(read(sent + "x") == [key.map { .key($0) }, .character("x")].compactMap(\.self))
  }

  @Test("Escape is a key where nothing follows, and loses nothing where something does")
  func escape() {
    #expect(read("\u{1B}") == [.key(.escape)])
    #expect(read("\u{1B}b") == [.key(.escape), .character("b")])
    #expect(read("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    // Alt and a bracket, and what is typed behind them.
    var reader = TerminalReader()
    #expect(read("\u{1B}[", with: &reader) == [])
    #expect(read("A", with: &reader) == [.character("A")])
  }

  @Test("a sequence may come in pieces, and one without an end takes no more than its bound")
  func pieces() {
    var reader = TerminalReader()
    #expect(read("\u{1B}[1", with: &reader) == [])
    #expect(read("~x", with: &reader) == [.key(.home), .character("x")])
    let typed = read("\u{1B}[" + String(repeating: "1", count: 100), with: &reader)
    #expect(typed == Array(repeating: .character("1"), count: 100 - 33))
  }

  @Test("what is pasted is text: no key in it does anything, and the way out stays open")
  func paste() {
    var reader = TerminalReader()
    let pasted = read("\u{1B}[200~a\tb\r\u{3}\u{1B}[1~\u{1B}", with: &reader)
    #expect(pasted == ["a", "\t", "b", "\n"].map { .character($0) })
    for unit in [TerminalReader.Unit.key(.tab), .key(.function(6)), .mouse(.numbers)] {
      #expect(reader.take(unit) == nil)
    }
    #expect(read("0;1;1M", with: &reader) == [])
    #expect(reader.take(.key(.function(10))) == .key(.function(10)))
    #expect(read("\u{1B}[201~\t", with: &reader) == [.key(.tab)])
  }

  @Test("a report of the mouse is no text, wherever it is cut")
  func mouse() {
    for cut in 0...6 {
      var reader = TerminalReader()
      let text = Array("0;5;28Mx")
      #expect(reader.take(.mouse(.numbers)) == nil)
      let first = read(String(text[..<cut]), with: &reader)
      let second = read(String(text[cut...]), with: &reader)
      #expect(first + second == [.press(row: 27, column: 4), .character("x")])
    }
  }

  @Test("whatever comes, letters behind it are typed again, and the end is told")
  func random() {
    var random = SplitMix(seed: 11)
    let pieces = [
      "\u{1B}", "[", "O", "M", "m", "<", "~", "1", ";", "200~", "a", "\u{7F}", "\t", "\u{9B}",
    ]
    for _ in 0..<2_000 {
      var reader = TerminalReader()
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        if Int.random(in: 0..<9, using: &random) == 0 {
          _ = reader.take(
            [.mouse(.numbers), .mouse(.characters), .key(.up), .resize].randomElement(
              using: &random)!)
        }
        _ = read(pieces.randomElement(using: &random)!, with: &reader)
      }
      let rest = String(repeating: "z", count: 50)
      #expect(
        read(rest, with: &reader).suffix(10) == Array(repeating: .character("z"), count: 10)[...])
      #expect(reader.take(.end) == .end)
    }
  }
}
