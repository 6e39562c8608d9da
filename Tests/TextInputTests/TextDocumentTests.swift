import TestSupport
import Testing

@testable import TextInput

private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

/// Boundaries of the grapheme clusters of a text, as offsets in bytes.
private func boundaries(_ text: String) -> Set<Int> {
  var result: Set<Int> = [0]
  var end = 0
  for character in text {
    end += character.utf8.count
    result.insert(end)
  }
  return result
}

@Suite("A text document")
struct TextDocumentTests {
  @Test(
    "takes one user-perceived character for one delete",
    arguments: [
      "👨‍👩‍👧‍👦", "🇫🇷", "❤️", "👋🏽", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "\r\n", "\u{FE0F}",
      "👩🏾‍❤️‍💋‍👨🏻", "क्ष", "o\u{302}\u{323}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
      "ا\u{64B}", "\u{200D}", "1️⃣", "\n", "a",
    ])
  func deletesCluster(_ cluster: String) throws {
    var document = TextDocument()
    for _ in 0..<2 {
      for scalar in cluster.unicodeScalars { try document.apply([.insertText(String(scalar))]) }
      try document.apply([.insertText("|")])
    }
    try document.apply([.deleteBackward])
    #expect(scalars(document.text) == scalars(cluster + "|" + cluster))
    try document.apply([.deleteBackward])
    let expected = "x" + cluster == "x" ? "" : cluster + "|"
    // After a "|" a mark that extends belongs to the bar's own cluster.
    #expect(
      scalars(document.text)
        == scalars(("|" + cluster).count == 1 ? cluster : expected))
  }

  @Test("takes flags in pairs counted from the start")
  func flags() throws {
    var document = TextDocument("🇫🇷🇩🇪🇮🇹🇪🇸🇯🇵🇺🇸")
    for left in stride(from: 5, through: 0, by: -1) {
      try document.apply([.deleteBackward])
      #expect(document.text.count == left)
      #expect(document.text.unicodeScalars.count == left * 2)
    }
    var odd = TextDocument("🇫🇷🇩")
    try odd.apply([.deleteBackward])
    #expect(odd.text == "🇫🇷")
  }

  @Test("never has its cursor inside a cluster that an insertion joined")
  func joins() throws {
    var document = TextDocument("\u{1F1EB}\u{1F1F7}")
    document.select(0..<0)
    try document.apply([.insertText("\u{1F1E9}")])
    // D F is one pair now and R stands alone: the cursor is behind the pair.
    #expect(document.selectedRange == 1..<1)
    try document.apply([.deleteBackward])
    #expect(scalars(document.text) == [0x1F1F7])

    var family = TextDocument("\u{200D}👩")
    family.select(0..<0)
    try family.apply([.insertText("👨")])
    #expect(family.selectedRange == 1..<1)
    #expect(family.text.count == 1)
    try family.apply([.deleteBackward])
    #expect(family.isEmpty)

    var mark = TextDocument("e\n\u{301}x")
    mark.select(2..<2)
    try mark.apply([.deleteBackward])
    #expect(scalars(mark.text) == scalars("e\u{301}x"))
    #expect(mark.selectedRange == 1..<1)
    #expect(scalars(mark.context().beforeInput) == scalars("e\u{301}"))

    var lines = TextDocument("\rx\n")
    lines.select(2..<2)
    try lines.apply([.deleteBackward])
    #expect(scalars(lines.text) == [13, 10])
    try lines.apply([.deleteBackward])
    #expect(lines.isEmpty)
  }

  @Test("moves by clusters and stops at its ends")
  func moves() throws {
    var document = TextDocument("a👨‍👩‍👧b")
    try document.apply([.adjustTextPosition(byCharacterOffset: -2), .insertText("|")])
    #expect(document.text == "a|👨‍👩‍👧b")
    try document.apply([.adjustTextPosition(byCharacterOffset: Int.max), .insertText("<")])
    try document.apply([.adjustTextPosition(byCharacterOffset: Int.min), .insertText(">")])
    #expect(document.text == ">a|👨‍👩‍👧b<")
  }

  @Test("replaces a selection by what is typed, and deletes it whole")
  func selection() throws {
    var document = TextDocument("one two three")
    document.select(4..<7)
    #expect(document.selectedText == "two")
    #expect(document.context().beforeInput == "one ")
    try document.apply([.insertText("2")])
    #expect(document.text == "one 2 three")
    document.select(3..<5)
    try document.apply([.deleteBackward])
    #expect(document.text == "one three")
    document.select(0..<3)
    try document.apply([.adjustTextPosition(byCharacterOffset: 1)])
    #expect(document.selectedRange == 4..<4)
    document.select(-5..<500)
    #expect(document.selectedText == "one three")
  }

  @Test("keeps marked text apart until it is committed")
  func marked() throws {
    var document = TextDocument("ab")
    document.select(1..<1)
    try document.apply([.setMarkedText("ni", selectedRange: 2..<2)])
    #expect(document.text == "anib")
    #expect(document.markedText == "ni")
    #expect(document.context().beforeInput == "a")
    #expect(document.context().afterInput == "b")
    try document.apply([.setMarkedText("nih", selectedRange: 3..<3), .deleteBackward])
    #expect(document.markedText == "ni")
    try document.apply([.insertText("你")])
    #expect(document.text == "a你b")
    #expect(document.markedText == nil)
    try document.apply([.setMarkedText("x", selectedRange: 0..<1), .deleteBackward])
    #expect(document.text == "a你b")
    try document.apply([.setMarkedText("q", selectedRange: 0..<0), .deleteBackward])
    #expect(document.markedText == "q")
    try document.apply([.unmarkText])
    #expect(document.text == "a你qb")
    try document.apply([.setMarkedText("w", selectedRange: 1..<1)])
    document.commitMarkedText()
    #expect(document.text == "a你qwb")
    #expect(document.selectedRange == 4..<4)
    try document.apply([
      .setMarkedText("z", selectedRange: 1..<1), .setMarkedText("", selectedRange: 0..<0),
    ])
    #expect(document.text == "a你qwb")
  }

  @Test("settles the cursor when committed text joins what follows")
  func markedJoins() throws {
    var document = TextDocument("\u{1F1F7}")
    document.select(0..<0)
    try document.apply([.setMarkedText("\u{1F1EB}", selectedRange: 1..<1), .unmarkText])
    #expect(document.selectedRange == 1..<1)
    #expect(document.text == "🇫🇷")
  }

  @Test("counts a revision for every change and none for what changes nothing")
  func revisions() throws {
    var document = TextDocument()
    try document.apply([])
    try document.apply([.deleteBackward, .insertText(""), .unmarkText])
    try document.apply([.adjustTextPosition(byCharacterOffset: 3)])
    document.commitMarkedText()
    document.replaceText("")
    document.select(0..<0)
    #expect(document.revision == 0)
    try document.apply([.insertText("a"), .insertText("b")])
    #expect(document.revision == 1)
    document.replaceText("ab")
    #expect(document.revision == 1)
    document.replaceText("ab", selection: 0..<1)
    #expect(document.revision == 2)
    document.select(0..<1)
    #expect(document.revision == 2)
    document.select(1..<1)
    #expect(document.revision == 3)
    // Canonically equivalent is not the same text.
    document.replaceText("\u{E9}")
    document.replaceText("e\u{301}")
    #expect(document.revision == 5)
  }

  @Test("applies edits whole or not at all")
  func transactional() throws {
    var document = TextDocument("abc")
    let before = document
    #expect(throws: TextEditError.rangeOutOfBounds(0..<3, count: 2)) {
      try document.apply([.insertText("x"), .setMarkedText("ab", selectedRange: 0..<3)])
    }
    #expect(throws: TextEditError.markedTextTooLong(limit: 1024)) {
      let long = String(repeating: "x", count: 1025)
      try document.apply([.deleteBackward, .setMarkedText(long, selectedRange: 0..<0)])
    }
    #expect(throws: TextEditError.tooLong(limit: TextDocument.maximumBytes)) {
      let long = String(repeating: "x", count: TextDocument.maximumBytes)
      try document.apply([.deleteBackward, .insertText(long)])
    }
    #expect(document == before)
    let fits = String(repeating: "x", count: TextDocument.maximumBytes - 3)
    try document.apply([.insertText(fits)])
    #expect(document.utf8Count == TextDocument.maximumBytes)
    #expect(throws: TextEditError.self) { try document.apply([.insertText("y")]) }
    try document.apply([.deleteBackward, .insertText("y")])
    #expect(document.text.hasSuffix("xy"))
  }

  @Test("shows a window that is cut at clusters and says that it is cut")
  func window() {
    let family = "👨‍👩‍👧‍👦"
    var document = TextDocument(String(repeating: family, count: 200))
    document.select(100..<100)
    let context = document.context()
    #expect(context.isTruncatedBefore && context.isTruncatedAfter)
    let fitting = 1024 / family.utf8.count
    #expect(context.beforeInput == String(repeating: family, count: fitting))
    #expect(context.afterInput == String(repeating: family, count: fitting))
    document.select(10..<190)
    #expect(document.context().isTruncatedSelection)
    #expect(document.context().selectedText == String(repeating: family, count: fitting))

    // Windows of flags keep the pairs of the whole text.
    let flags = TextDocument(String(repeating: "🇫🇷", count: 500) + "🇫").context()
    #expect(flags.beforeInput == String(repeating: "🇫🇷", count: 127) + "🇫")

    // A cluster longer than the window is not shown in part.
    let long = TextDocument("a" + String(repeating: "\u{301}", count: 2000)).context()
    #expect(long.beforeInput.isEmpty && long.isTruncatedBefore)
  }

  @Test("agrees with a plain model under random edits", arguments: 0..<40)
  func model(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let pieces = [
      "a", "e", "\u{301}", "\u{200D}", "👩", "👨", "🏽", "\u{FE0F}", "\u{1F1EB}", "\u{1F1F7}", "\r",
      "\n",
      "\u{1112}", "\u{1161}", "\u{11AB}", "क", "\u{94D}", "ष", "\u{600}", "\u{E0067}", "❤", " ",
    ]
    var document = TextDocument()
    for step in 0..<400 {
      let old = document
      switch random.next() % 8 {
      case 0...3:
        let text = (0..<(random.next() % 3 + 1)).map { _ in
          pieces[Int(random.next() % UInt64(pieces.count))]
        }.joined()
        try document.apply([.insertText(text)])
        #expect(scalars(document.text) == scalars(old.before + text + old.after))
      case 4:
        try document.apply([.deleteBackward])
        let kept = old.selected.isEmpty ? String(old.before.dropLast()) : old.before
        #expect(scalars(document.text) == scalars(kept + old.after))
      case 5:
        try document.apply([.adjustTextPosition(byCharacterOffset: Int(random.next() % 7) - 3)])
        #expect(scalars(document.text) == scalars(old.text))
      case 6:
        let count = UInt64(old.text.count + 1)
        let a = Int(random.next() % count)
        let b = Int(random.next() % count)
        document.select(min(a, b)..<max(a, b))
        #expect(scalars(document.text) == scalars(old.text))
        #expect(document.selectedRange == min(a, b)..<max(a, b))
      default:
        try document.apply([.insertText(pieces[step % pieces.count]), .deleteBackward])
      }
      // The cursor and the ends of the selection stand at clusters of the whole text.
      let ends = boundaries(document.text)
      let start = document.before.utf8.count
      #expect(ends.contains(start))
      #expect(ends.contains(start + document.selected.utf8.count))
      // A window is whole clusters of the whole text, too.
      let all = document.text
      for limit in [1, 4, 9, 30] {
        let head = document.before.clusterSuffix(ofAtMost: limit).text.utf8.count
        let tail = document.after.clusterPrefix(ofAtMost: limit).text.utf8.count
        #expect(head <= limit && tail <= limit)
        #expect(ends.contains(start - head))
        #expect(ends.contains(all.utf8.count - document.after.utf8.count + tail))
      }
    }
  }

  @Test("edits that walk through a long text again and again are refused whole")
  func work() throws {
    let text = String(repeating: "word ", count: 20_000)
    var document = TextDocument(text)
    let back = TextEdit.adjustTextPosition(byCharacterOffset: -50_000)
    let forth = TextEdit.adjustTextPosition(byCharacterOffset: 50_000)
    #expect(throws: TextEditError.tooMuchWork) {
      try document.apply(
        [TextEdit](repeating: back, count: 1) + (0..<50).flatMap { _ in [forth, back] })
    }
    #expect(document == TextDocument(text))
    try document.apply([back, .insertText("x"), forth])
    #expect(document.revision == 1)
    try document.apply([TextEdit](repeating: .deleteBackward, count: 4_096))
    #expect(document.text.count == text.count + 1 - 4_096)
  }
}
