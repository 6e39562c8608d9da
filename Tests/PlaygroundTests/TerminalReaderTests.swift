import Playground
import TestSupport
import Testing

@Suite("What a terminal sends")
struct TerminalReaderTests {
  /// What a person did, of a text and then a pause.
  private func read(_ text: String, with reader: inout TerminalReader) -> [PlayInput] {
    read(Array(text.utf8), with: &reader)
  }

  private func read(_ bytes: [UInt8], with reader: inout TerminalReader) -> [PlayInput] {
    var found: [PlayInput] = []
    func take(_ unit: TerminalReader.Unit) {
      if let input = reader.take(unit) { found.append(input) }
      if let held = reader.takeHeld() { found.append(held) }
    }
    for byte in bytes { take(.byte(byte)) }
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

  @Test(
    "whatever is cut anywhere comes out as if it had come at once",
    arguments: [
      ("\u{1B}[200~a\tb\u{1B}[201~", "a\tb"), ("\u{1B}[200~a\u{1B}[\u{1B}[201~", "a"),
      ("\u{1B}[200~a\u{1B}[<\u{1B}[201~", "a"), ("\u{1B}[200~a\u{1B}[1\u{1B}[201~", "a"),
      ("\u{1B}[200~a\u{1B}[201~", "a"), ("é", "é"), ("x€y", "x€y"), ("👩‍👩‍👧", "👩‍👩‍👧"),
      ("\u{1B}[1~", ""), ("\u{1B}[15~", ""), ("\u{1B}[<0;5;30M", ""),
    ])
  func cut(_ sent: String, _ text: String) {
    let bytes = Array(sent.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var reader = TerminalReader()
        // Of a mark that is cut behind its first byte nobody knows yet that it is one.
        if sent.hasPrefix("\u{1B}"), first == 1 || second == 1 { continue }
        // Nor, of one byte that comes alone behind the first two, that no person typed it.
        if sent.hasPrefix("\u{1B}"), first == 2, second == 3 { continue }
        let found =
          read(Array(bytes[..<first]), with: &reader)
          + read(Array(bytes[first..<second]), with: &reader)
          + read(Array(bytes[second...]), with: &reader) + read("\tz", with: &reader)
        #expect(
          found.filter { if case .character = $0 { true } else { false } }
            == (text + "z").unicodeScalars.map { .character(String($0)) }, "\(first), \(second)")
        #expect(found.suffix(2) == [.key(.tab), .character("z")], "\(first), \(second)")
      }
    }
  }

  @Test("what comes late behind Escape is no text either, unless a person typed it")
  func late() {
    for rest in ["[<0;5;30M", "[1~", "[15~", "[A", "[I"] {
      var reader = TerminalReader()
      #expect(read("\u{1B}", with: &reader) == [.key(.escape)])
      let found = read(rest, with: &reader)
      switch rest {
      case "[<0;5;30M": #expect(found == [.press(row: 29, column: 4)])
      case "[1~": #expect(found == [.key(.home)])
      case "[15~": #expect(found == [.key(.function(5))])
      case "[A": #expect(found == [.key(.up)])
      default: #expect(found == [.character("["), .character("I")])
      }
    }
    var reader = TerminalReader()
    var found: [PlayInput] = []
    for key in ["\u{1B}", "[", "1", "\u{1B}[", "2", "3", "\u{1B}", "x", "\u{1B}", "[\u{1B}"] {
      found += read(key, with: &reader)
    }
    #expect(
      found == [
        .key(.escape), .character("["), .character("1"), .character("2"), .character("3"),
        .key(.escape), .character("x"), .key(.escape), .character("["), .key(.escape),
      ])
  }

  @Test("bytes that are no UTF-8 are left out, and nothing beside them")
  func damaged() {
    for bytes: [UInt8] in [
      [0xC3], [0xE2, 0x82], [0xFF], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xE2, 0xC3],
    ] {
      var reader = TerminalReader()
      #expect(
        read([UInt8(ascii: "a")] + bytes + [UInt8(ascii: "b")], with: &reader)
          == [.character("a"), .character("b")])
    }
  }

  @Test("a person gets out of a paste that has no end")
  func endless() {
    for key in ["\u{3}", "\u{11}"] {
      var reader = TerminalReader()
      #expect(read("\u{1B}[200~a\u{3}b", with: &reader) == [.character("a"), .character("b")])
      #expect(read(key, with: &reader) == [.quit])
    }
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
            [.mouse(.numbers), .mouse(.bytes), .key(.up), .resize].randomElement(
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
