import Playground
import TestSupport
import Testing

@Suite("What is drawn stays in its place")
struct CanvasTests {
  /// What stands in a row between two marks, without the blanks behind it.
  private func line(_ text: String, width: Int = 8) -> String {
    var canvas = Canvas(size: CanvasSize(rows: 1, columns: width + 4))
    canvas.write("[", in: CanvasSpan(row: 0, column: 1, width: 1))
    canvas.write(text, in: CanvasSpan(row: 0, column: 2, width: width))
    canvas.write("]", in: CanvasSpan(row: 0, column: width + 2, width: 1))
    let columns = (0..<width + 4).reduce(0) { $0 + canvas[0, $1].width }
    #expect(columns == width + 4)
    let inside = canvas.lines[0].dropFirst(2).dropLast(2)
    #expect(canvas.lines[0] == " [\(inside)] ")
    return String(inside.reversed().drop { $0 == " " }.reversed())
  }

  @Test("a text is cut at the end of its columns")
  func cut() {
    #expect(line("abcdefgh") == "abcdefgh")
    #expect(line("abcdefghi") == "abcdefg…")
    #expect(line("") == "")
  }

  @Test("a wide character takes two columns, and is not halved at the end")
  func wide() {
    #expect(line("漢字") == "漢字")
    #expect(line("漢字漢字") == "漢字漢字")
    #expect(line("a漢字漢字") == "a漢字漢…")
    #expect(line("漢字漢字", width: 7) == "漢字漢…")
  }

  @Test("what terminals disagree on is drawn by its first picture")
  func sequences() {
    #expect(line("👩‍👩‍👧x") == "👩x")
    #expect(line("👍🏽x") == "👍x")
    #expect(line("🇩🇪x") == "DEx")
    #expect(line("❤️x") == "❤x")
    #expect(line("e\u{301}x") == "e\u{301}x")
    #expect(line("각x") == "각x")
    #expect(line("\u{1112}\u{1161}\u{11AB}x") == "\u{1112}\u{1161}\u{11AB}x")
  }

  @Test("no text steers the terminal or what stands beside it")
  func hostile() {
    #expect(line("\u{1B}[2J", width: 10) == "\\u{1b}[2J")
    #expect(line("a\nb") == "a\\nb")
    #expect(line("\u{202E}abc", width: 10) == "\\u{202e}a…")
    #expect(line("\u{301}a") == "\u{25CC}\u{301}a")
    let pile = "a" + String(repeating: "\u{0335}", count: 100)
    #expect(line(pile).unicodeScalars.count <= 12 + 4)
  }

  @Test("what is written over half of a wide character leaves no other half")
  func overwritten() {
    var canvas = Canvas(size: CanvasSize(rows: 1, columns: 6))
    canvas.write("漢字", in: CanvasSpan(row: 0, column: 0, width: 6))
    canvas.write("x", in: CanvasSpan(row: 0, column: 1, width: 1))
    #expect(canvas.lines[0] == " x字  ")
    canvas.write("y", in: CanvasSpan(row: 0, column: 2, width: 1))
    #expect(canvas.lines[0] == " xy   ")
  }

  @Test("a place outside the canvas is no place", arguments: [-1, 1, 5])
  func outside(_ row: Int) {
    var canvas = Canvas(size: CanvasSize(rows: 1, columns: 4))
    canvas.write("abc", in: CanvasSpan(row: row, column: 0, width: 4))
    canvas.fill(CanvasSpan(row: row, column: -3, width: 40), style: .bold)
    canvas.write("abcdef", in: CanvasSpan(row: 0, column: 9, width: 4))
    #expect(canvas.lines == ["    "])
  }
}
