import TestSupport
import Testing

@testable import TextInput

/// `#expect` cannot call what changes its own receiver.
private func need(_ isDone: Bool) throws { try #require(isDone) }
private func refuse(_ isDone: Bool) throws { try #require(!isDone) }

@Suite("Undoing")
struct UndoTests {
  private func document(_ text: String = "") -> TextDocument {
    var document = TextDocument(text)
    document.keepHistory()
    return document
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test("goes back word by word in what was typed, and forth again")
  func words() throws {
    var document = document()
    for character in "one two  three" { try document.apply([.insertText(String(character))]) }
    var seen: [String] = []
    while document.undo() { seen.append(document.text) }
    #expect(seen == ["one two  ", "one ", ""])
    #expect(!document.canUndo && document.canRedo)
    seen = []
    while document.redo() { seen.append(document.text) }
    #expect(seen == ["one ", "one two  ", "one two  three"])
  }

  @Test("takes deletions together, and a transaction whole")
  func steps() throws {
    var document = document("abcdef")
    for _ in 0..<3 { try document.apply([.deleteBackward]) }
    try document.apply([
      .insertText("x"), .adjustTextPosition(byCharacterOffset: -2), .insertText("y"),
    ])
    #expect(document.text == "abycx")
    try need(document.undo())
    #expect(document.text == "abc")
    try need(document.undo())
    #expect(document.text == "abcdef")
    try refuse(document.undo())
    try need(document.redo())
    try need(document.redo())
    #expect(document.text == "abycx")
    try document.apply([.insertText("!")])
    #expect(!document.canRedo, "what is done anew cannot be done again")
  }

  @Test("leaves the cursor where the change was, at a whole character")
  func cursor() throws {
    var document = document("one two")
    document.select(0..<3)
    try document.apply([.insertText("1")])
    document.select(5..<5)
    try need(document.undo())
    #expect(document.text == "one two")
    #expect(document.selectedRange == 3..<3)
    // Half a flag comes back between the halves of others.
    var flags = self.document("\u{1F1EB}\u{1F1F7}")
    flags.select(0..<0)
    try flags.apply([.insertText("\u{1F1E9}")])
    try need(flags.undo())
    #expect(scalars(flags.text) == [0x1F1EB, 0x1F1F7] && flags.selectedRange == 0..<0)
    try need(flags.redo())
    #expect(flags.selectedRange == 1..<1)
  }

  @Test("takes back what is being composed first, and counts it as text when it became that")
  func marked() throws {
    var document = document("a")
    try document.apply([.setMarkedText("ni", selectedRange: 2..<2)])
    #expect(document.canUndo)
    try need(document.undo())
    #expect(document.text == "a")
    #expect(document.markedText == nil)
    try document.apply([.setMarkedText("ni", selectedRange: 2..<2)])
    try document.apply([.insertText("你")])
    #expect(document.text == "a你")
    try need(document.undo())
    #expect(document.text == "a")
    try document.apply([.setMarkedText("x", selectedRange: 1..<1)])
    document.select(0..<0)
    try need(document.undo())
    #expect(document.text == "a")
    document.select(0..<1)
    try document.apply([.setMarkedText("y", selectedRange: 0..<0), .unmarkText])
    #expect(document.text == "y")
    try need(document.undo())
    #expect(document.text == "a")
  }

  @Test("ends at what the app wrote, and costs nothing where nobody wants it")
  func bounds() throws {
    var document = document("a")
    try document.apply([.insertText("b")])
    document.replaceText("app")
    #expect(!document.canUndo)
    try refuse(document.undo())
    var plain = TextDocument("a")
    try plain.apply([.insertText("b")])
    #expect(!plain.canUndo)
    try refuse(plain.undo())
    #expect(plain.history == nil)
  }

  @Test("keeps a bounded number of steps and bytes")
  func limits() throws {
    var document = document()
    for _ in 0..<300 { try document.apply([.insertText("a "), .insertText("b")]) }
    var steps = 0
    while document.undo() { steps += 1 }
    #expect(steps == EditHistory.maximumSteps)
    document = self.document()
    for _ in 0..<5 {
      try document.apply([.insertText(String(repeating: "x", count: 100_000) + " ")])
    }
    steps = 0
    while document.undo() { steps += 1 }
    #expect(steps == 2)
  }

  @Test("every step goes back to the text before it, under random edits", arguments: 0..<40)
  func random(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let pieces = [
      "a", " ", "\u{301}", "\u{200D}", "👩", "🏽", "\u{1F1EB}", "\u{1F1F7}", "\r", "\n", "\u{1112}",
      "\u{1161}", "क", "\u{94D}", "ש", "\u{5B0}",
    ]
    var document = document("क्ष🇫🇷\r\nשלום")
    for _ in 0..<30 {
      let before = scalars(document.text)
      let isComposing = document.markedText != nil
      let steps = document.history?.undoable.count ?? 0
      let piece = pieces[Int(random.next() % UInt64(pieces.count))]
      switch random.next() % 6 {
      case 0: try document.apply([.deleteBackward, .insertText(piece)])
      case 1:
        try document.apply([.adjustTextPosition(byCharacterOffset: Int(random.next() % 5) - 2)])
      case 2:
        let end = Int(random.next() % UInt64(document.text.count + 1))
        document.select(0..<end)
      case 3: try document.apply([.setMarkedText(piece, selectedRange: 0..<0), .unmarkText])
      case 4: try document.apply([.deleteBackward])
      default: try document.apply([.insertText(piece), .insertText("|")])
      }
      var undone = document
      let after = scalars(document.text)
      guard (document.history?.undoable.count ?? 0) > steps, !isComposing else { continue }
      try need(undone.undo())
      #expect(scalars(undone.text) == before)
      try need(undone.redo())
      #expect(scalars(undone.text) == after)
      // The cursor stands at a whole character.
      let cursor = undone
      undone.select(undone.selectedRange)
      #expect(undone == cursor)
    }
    while document.undo() {}
    #expect(scalars(document.text) == scalars("क्ष🇫🇷\r\nשלום"))
  }
}
