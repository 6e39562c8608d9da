import TestSupport
import Testing

@testable import TextInput

/// Texts of the scripts that are hard on an editor, each under every edit at every place.
@Suite("A document in every script")
struct ScriptsTests {
  static let samples = ScriptSample.all

  /// As the standard library has it today; what a sample calls one character has to be one.
  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
  private func scalars(_ text: String) -> [UInt32] { Self.scalars(text) }

  private static let pieces =
    samples.flatMap(\.clusters) + [
      "\u{301}", "\u{200D}", "\u{1F1EB}", "\n", "\u{94D}", "\u{11AB}", "",
    ]

  /// What has to be so in every document.
  private func check(_ document: TextDocument, _ place: String) {
    let all = document.text
    var ends: Set<Int> = [0]
    var end = 0
    for character in all {
      end += character.utf8.count
      ends.insert(end)
    }
    if document.markedText == nil {
      let start = document.before.utf8.count
      #expect(ends.contains(start), "\(place): the cursor stands inside a character")
      #expect(
        ends.contains(start + document.selected.utf8.count), "\(place): the selection ends there")
    }
    let window = document.context()
    #expect(
      scalars(
        window.beforeInput + (window.markedText ?? window.selectedText ?? "") + window.afterInput)
        == scalars(all), "\(place): the windows are not the text")
    #expect(!window.isTruncatedBefore && !window.isTruncatedAfter && !window.isTruncatedSelection)
  }

  @Test("counts what people count", arguments: samples)
  func counts(sample: ScriptSample) throws {
    let text = sample.text
    // Devanagari conjuncts and such are what the standard library says they are.
    let whole = TextDocument(text)
    #expect(whole.selectedRange == text.count..<text.count)
    if sample.name != "Devanagari" { #expect(text.map(String.init) == sample.clusters) }
    var document = whole
    var left = text
    while !left.isEmpty {
      try document.apply([.deleteBackward])
      left.removeLast()
      #expect(scalars(document.text) == scalars(left))
    }
    try document.apply([.deleteBackward])
    #expect(document.isEmpty)
  }

  @Test("takes every edit at every place, and gives it back", arguments: samples)
  func edits(sample: ScriptSample) throws {
    let text = sample.text
    let count = text.count
    for position in 0...count {
      for piece in Self.pieces {
        let place = "\(sample.name), \(position), \(piece.debugDescription)"
        var document = TextDocument(text)
        document.keepHistory()
        document.select(position..<position)
        let cut = text.index(text.startIndex, offsetBy: position)
        let head = String(text[..<cut])
        let tail = String(text[cut...])
        let revision = document.revision

        // Typed, and composed: the text is the same.
        var typed = document
        try typed.apply([.insertText(piece)])
        #expect(scalars(typed.text) == scalars(head + piece + tail), "\(place)")
        #expect(typed.revision == revision + (piece.isEmpty ? 0 : 1))
        check(typed, place)
        var composed = document
        try composed.apply([.setMarkedText(piece, selectedRange: 0..<0)])
        #expect(composed.context().beforeInput.unicodeScalars.elementsEqual(head.unicodeScalars))
        check(composed, place + " composed")
        try composed.apply([.unmarkText])
        #expect(scalars(composed.text) == scalars(typed.text), "\(place)")
        #expect(composed.selectedRange == typed.selectedRange, "\(place)")
        check(composed, place + " committed")

        // Undone.
        if !piece.isEmpty {
          for var undone in [typed, composed] {
            let isDone = undone.undo()
            #expect(isDone && scalars(undone.text) == scalars(text), "\(place)")
            check(undone, place + " undone")
            let isAgain = undone.redo()
            #expect(isAgain && scalars(undone.text) == scalars(typed.text), "\(place)")
          }
        }

        // Deleted.
        var deleted = document
        try deleted.apply([.deleteBackward])
        #expect(scalars(deleted.text) == scalars(String(head.dropLast()) + tail), "\(place)")
        check(deleted, place + " deleted")
      }
    }
  }

  @Test("replaces and deletes every selection whole", arguments: samples)
  func selections(sample: ScriptSample) throws {
    let text = sample.text
    let count = text.count
    for start in 0...count {
      for end in start...count {
        let place = "\(sample.name), \(start)..<\(end)"
        var document = TextDocument(text)
        document.keepHistory()
        document.select(start..<end)
        check(document, place)
        let from = text.index(text.startIndex, offsetBy: start)
        let to = text.index(text.startIndex, offsetBy: end)
        let head = String(text[..<from])
        let tail = String(text[to...])
        #expect(document.selectedText.map(scalars) ?? [] == scalars(String(text[from..<to])))
        for edits: [TextEdit] in [
          [.insertText("|")], [.setMarkedText("|", selectedRange: 1..<1), .unmarkText],
        ] {
          var replaced = document
          try replaced.apply(edits)
          #expect(scalars(replaced.text) == scalars(head + "|" + tail), "\(place)")
          check(replaced, place)
          let isUndone = replaced.undo()
          #expect(isUndone && scalars(replaced.text) == scalars(text), "\(place)")
        }
        if start < end {
          var deleted = document
          try deleted.apply([.deleteBackward])
          #expect(scalars(deleted.text) == scalars(head + tail), "\(place)")
          check(deleted, place)
        }
        var left = document
        try left.apply([.adjustTextPosition(byCharacterOffset: -1)])
        #expect(left.selectedRange.lowerBound == max(start - 1, 0), "\(place)")
        var right = document
        try right.apply([.adjustTextPosition(byCharacterOffset: 1)])
        #expect(right.selectedRange.lowerBound == min(end + 1, count), "\(place)")
      }
    }
  }

  @Test("says what of a long text is cut, and cuts between characters", arguments: samples)
  func windows(sample: ScriptSample) {
    let text = String(repeating: sample.text, count: 1_500 / sample.text.utf8.count + 2)
    var document = TextDocument(text)
    #expect(document.context().isTruncatedBefore && !document.context().isTruncatedAfter)
    let middle = text.count / 2
    for position in [0, middle, text.count] {
      document.select(position..<position)
      let window = document.context()
      let cut = text.index(text.startIndex, offsetBy: position)
      #expect(
        text[..<cut].hasSuffix(window.beforeInput) && text[cut...].hasPrefix(window.afterInput))
      for side in [window.beforeInput, window.afterInput] {
        #expect(side.utf8.count <= ContextWindow.maximumBytes)
      }
      #expect(window.isTruncatedBefore == (window.beforeInput.utf8.count < text[..<cut].utf8.count))
      #expect(window.isTruncatedAfter == (window.afterInput.utf8.count < text[cut...].utf8.count))
    }
    document.select(0..<text.count)
    #expect(document.context().isTruncatedSelection)
    #expect(text.hasPrefix(document.context().selectedText ?? "-"))
  }

  @Test("is typed on key by key, and dragged through, by whole characters", arguments: samples)
  func keyboard(sample: ScriptSample) throws {
    var rig = TypingRig(sample.text, language: "en", replacements: ["b": sample.text])
    for _ in 0..<sample.text.count { try rig.type("⌫") }
    #expect(rig.document.isEmpty)
    try rig.type("b ")
    #expect(scalars(rig.text) == scalars(sample.text + " "))
    try rig.type("⌫")
    #expect(rig.text == "b ")
    var cursor = TrackpadCursor()
    var document = TextDocument(sample.text)
    for left in stride(from: sample.text.count - 1, through: 0, by: -1) {
      let way = -9 * WritingDirection(around: document.context()).stepToTheRight
      try document.apply(cursor.moved(x: Double(way), y: 0, in: document.context()))
      #expect(document.selectedRange == left..<left)
    }
  }
}
