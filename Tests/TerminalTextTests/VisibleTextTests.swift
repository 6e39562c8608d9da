import TerminalText
import Testing

@Suite("Text that is safe to show")
struct VisibleTextTests {
  @Test(
    "whatever moves the cursor, colours, reorders or breaks the line comes out as an escape",
    arguments: [
      ("\u{1b}[31mred", "\\u{1b}[31mred"), ("a\nb", "a\\nb"), ("a\r\nb", "a\\r\\nb"),
      ("\u{9b}2J", "\\u{9b}2J"), ("\u{7f}", "\\u{7f}"), ("\0", "\\0"), ("\t", "\\t"),
      ("\u{202e}evil", "\\u{202e}evil"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
      ("\u{200f}", "\\u{200f}"), ("\u{2028}", "\\u{2028}"), ("\u{feff}", "\\u{feff}"),
      ("\u{200b}", "\\u{200b}"), ("\u{ad}", "\\u{ad}"), ("\u{e0041}", "\\u{e0041}"),
      ("\u{115f}", "\\u{115f}"),
    ])
  func escapes(_ text: String, _ expected: String) {
    #expect(VisibleText.escape(text) == expected)
    #expect(!VisibleText.isSafe(text))
  }

  @Test(
    "ordinary text of any script stays as it is",
    arguments: ["Hábra – 100 %", "中文", "עברית", "نص", "👩‍👩‍👧‍👦", "❤️", "a\u{301}", "क्‍ष", "a b"])
  func keeps(_ text: String) {
    #expect(VisibleText.escape(text) == text)
    #expect(VisibleText.isSafe(text))
  }

  @Test("a cut keeps to the limit, says so, and never cuts an escape or a letter")
  func cuts() {
    for limit in 4...40 {
      for text in [
        String(repeating: "\u{1b}", count: 20), String(repeating: "é", count: 30),
        String(repeating: "👩‍👩‍👧", count: 9),
      ] {
        let cut = VisibleText.escape(text, limit: limit)
        #expect(cut.utf8.count <= limit)
        #expect(cut.hasSuffix("…"))
        let kept = cut.dropLast()
        #expect(VisibleText.escape(text).unicodeScalars.starts(with: kept.unicodeScalars))
        #expect(kept.isEmpty || !text.hasPrefix("\u{1b}") || kept.hasSuffix("}"))
      }
    }
    #expect(VisibleText.escape("four", limit: 4) == "four")
    #expect(VisibleText.escape("fives", limit: 4) == "f…")
  }
}
