import TestSupport
import Testing
import TextInput

@Suite("Offsets of a document in Unicode scalars")
struct TextDocumentScalarsTests {
  private static let family = "👨‍👩‍👧"  // five scalars, one cluster

  @Test("count scalars, and stand at clusters")
  func offsets() {
    var document = TextDocument("a\(Self.family)b")
    #expect(document.scalarCount == 7)
    #expect(document.selectedScalars == 7..<7)
    document.selectScalars(1..<6)
    #expect(document.selectedText == Self.family)
    // Inside of the family there is no place for a cursor.
    document.selectScalars(3..<3)
    #expect(document.selectedScalars == 6..<6)
    document.selectScalars(0..<99)
    #expect(document.selectedScalars == 0..<7)
    #expect(document.revision == 3)
  }

  @Test("tell where the text being composed stands")
  func marked() throws {
    var document = TextDocument("é")
    try document.apply([.setMarkedText("nǐ", selectedRange: 1..<2)])
    #expect(document.markedScalars == 1..<3)
    #expect(document.selectedScalars == 2..<3)
    document.commitMarkedText()
    #expect(document.markedScalars == nil)
    #expect(document.selectedScalars == 3..<3)
  }

  @Test("name the part that an app replaces, and a range that is not there changes nothing")
  func replace() {
    var document = TextDocument("one two")
    var isMade = document.replaceScalars(0..<3, with: "the")
    #expect(isMade)
    #expect(document.text == "the two")
    #expect(document.selectedScalars == 3..<3)
    isMade = document.replaceScalars(3..<7, with: "", selection: 1..<2)
    #expect(isMade)
    #expect(document.text == "the")
    #expect(document.selectedText == "h")
    let before = document
    isMade = document.replaceScalars(2..<4, with: "x")
    #expect(!isMade)
    #expect(document == before)
    // A mark joins the letter before it.
    isMade = document.replaceScalars(3..<3, with: "\u{301}", selection: 3..<3)
    #expect(isMade)
    #expect(document.selectedScalars == 4..<4)
  }

  @Test("a difference is at the cursor where it can be, and in whole scalars")
  func difference() throws {
    let old = TextDocument("aaa")
    var new = old
    new.selectScalars(1..<1)
    let moved = new
    try new.apply([.insertText("a")])
    #expect(new.replacement(since: moved)! == (1..<1, "a"))
    #expect(moved.replacement(since: old) == nil)
    // é and è share their first byte.
    #expect(TextDocument("xè").replacement(since: TextDocument("xé"))! == (1..<2, "è"))
    #expect(TextDocument("é").replacement(since: TextDocument(""))! == (0..<0, "é"))
  }

  @Test("a difference makes the new text of the old one, whatever the edits were")
  func differences() throws {
    var random = SplitMix(seed: 3)
    let pieces = ["a", "é", "e\u{301}", Self.family, "🇩🇪", "\r\n", "각", "क्षि", "\u{301}"]
    var document = TextDocument("start")
    for _ in 0..<5_000 {
      let old = document
      switch Int.random(in: 0..<6, using: &random) {
      case 0...1: try document.apply([.insertText(pieces.randomElement(using: &random)!)])
      case 2: try document.apply([.deleteBackward])
      case 3:
        try document.apply([
          .adjustTextPosition(byCharacterOffset: Int.random(in: -3...3, using: &random))
        ])
      case 4:
        let text = pieces.randomElement(using: &random)!
        try document.apply([.setMarkedText(text, selectedRange: text.count..<text.count)])
      default:
        let start = Int.random(in: 0...document.scalarCount, using: &random)
        let end = Int.random(in: start...min(start + 4, document.scalarCount), using: &random)
        let isMade = document.replaceScalars(
          start..<end, with: pieces.randomElement(using: &random)!)
        #expect(isMade)
      }
      if document.scalarCount > 60 { document = TextDocument("again") }
      guard let found = document.replacement(since: old) else {
        #expect(document.text.unicodeScalars.elementsEqual(old.text.unicodeScalars))
        continue
      }
      var scalars = Array(old.text.unicodeScalars)
      scalars.replaceSubrange(found.range, with: found.text.unicodeScalars)
      #expect(scalars.elementsEqual(document.text.unicodeScalars))
    }
  }

  @Test("do not lead through a character of half a million marks, or as many flags")
  func overlongRuns() {
    for mark in ["\u{301}", "🇨", "ᄀ"] {
      let long = String(repeating: mark, count: 20_000)
      #expect(TextDocument.hasOverlongRun(long))
      #expect(!TextDocument.hasOverlongRun(String(repeating: mark + mark + " ", count: 20_000)))
      // A keyboard can have made one. Nobody looks for its end.
      var document = TextDocument("abc\(long)def")
      document.selectScalars(10_000..<10_000)
      #expect(document.selectedScalars == 20_006..<20_006)
      document.selectScalars(2..<2)
      #expect(document.selectedScalars == 2..<2)
      document.selectScalars(20_004..<20_005)
      #expect(document.selectedText == "e")
      // And what is seen of it ends before it.
      document.selectScalars(0..<0)
      #expect(document.context().afterInput.isEmpty)
      #expect(document.context().isTruncatedAfter)
    }
    // What an app may make has its places, wherever it begins.
    let longest = "a" + String(repeating: "\u{301}", count: TextDocument.maximumRunScalars - 1)
    #expect(!TextDocument.hasOverlongRun(longest + longest))
    var document = TextDocument(longest + longest + longest + longest)
    document.selectScalars(1_500..<1_500)
    #expect(document.selectedScalars == 2_048..<2_048)
    let isMade = document.replaceScalars(1_024..<1_025, with: "")
    #expect(isMade)
    #expect(document.hasOverlongRun(aroundScalars: 1_024..<1_024))
    #expect(!document.hasOverlongRun(aroundScalars: 4_094..<4_095))
  }
}
