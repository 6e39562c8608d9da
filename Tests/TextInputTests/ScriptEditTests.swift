import TestSupport
import Testing

@testable import TextInput

/// Edits of each kind at each place of the scripts that are hard on an editor, also while something
/// is composed, and back again.
@Suite("Edits in every script")
struct ScriptEditTests {
  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  /// Cursor and selection stand at characters, and what is shown of the text is the text.
  private func check(_ document: TextDocument, _ place: @autoclosure () -> String) {
    let window = document.context()
    let middle = window.markedText ?? window.selectedText ?? ""
    #expect(
      scalars(window.beforeInput + middle + window.afterInput) == scalars(document.text),
      "\(place()): the windows are not the text")
    guard document.markedText == nil else { return }
    var ends: Set<Int> = [0]
    var end = 0
    for character in document.text {
      end += character.utf8.count
      ends.insert(end)
    }
    let start = document.before.utf8.count
    #expect(ends.contains(start), "\(place()): the cursor stands inside a character")
    #expect(
      ends.contains(start + document.selected.utf8.count), "\(place()): the selection ends there")
  }

  @Test("the cursor moves by whole characters, and stops at the ends", arguments: ScriptSample.all)
  func steps(sample: ScriptSample) throws {
    let text = sample.text
    let count = text.count
    for position in 0...count {
      for offset in -count - 1...count + 1 {
        var document = TextDocument(text)
        document.select(position..<position)
        try document.apply([.adjustTextPosition(byCharacterOffset: offset)])
        let expected = min(max(position + offset, 0), count)
        let place = "\(sample.name), \(position) by \(offset)"
        #expect(document.selectedRange == expected..<expected, "\(place)")
        #expect(scalars(document.text) == scalars(text), "\(place)")
        check(document, place)
      }
      // Dragged to either end and back.
      for way in [-1, 1] {
        var document = TextDocument(text)
        document.select(position..<position)
        var cursor = TrackpadCursor()
        let end = way < 0 ? 0 : count
        let toTheRight = WritingDirection(around: document.context()).stepToTheRight
        let points = TrackpadCursor.pointsPerCharacter * Double(way * toTheRight)
        for step in stride(from: position, to: end, by: way) {
          try document.apply(cursor.moved(x: points, y: 0, in: document.context()))
          #expect(document.selectedRange == (step + way)..<(step + way), "\(sample.name)")
          check(document, sample.name)
        }
        let stays = cursor.moved(x: points, y: 0, in: document.context())
        try document.apply(stays)
        #expect(document.selectedRange == end..<end, "\(sample.name)")
      }
    }
  }

  @Test("a drag down and up keeps to lines, whatever ends them", arguments: ScriptSample.all)
  func lines(sample: ScriptSample) throws {
    for lineEnd in ["\n", "\r\n", "\u{2028}"] {
      let line = sample.clusters.filter { !$0.contains(where: \.isNewline) }.joined()
      var document = TextDocument(line + lineEnd + line)
      document.select(line.count..<line.count)
      var cursor = TrackpadCursor()
      try document.apply(
        cursor.moved(x: 0, y: TrackpadCursor.pointsPerLine, in: document.context()))
      let below = 2 * line.count + 1
      #expect(document.selectedRange == below..<below, "\(sample.name)")
      try document.apply(
        cursor.moved(x: 0, y: -TrackpadCursor.pointsPerLine, in: document.context()))
      #expect(document.selectedRange == line.count..<line.count, "\(sample.name)")
    }
  }

  @Test(
    "what is composed takes every edit of the keyboard's, the app's and the user's",
    arguments: ScriptSample.all)
  func composing(sample: ScriptSample) throws {
    let text = sample.text
    for piece in [sample.clusters[0], sample.clusters[1] + sample.clusters[0], "\u{301}", "ni"] {
      for position in 0...text.count {
        for start in 0...piece.count {
          var composed = TextDocument(text)
          composed.keepHistory()
          composed.select(position..<position)
          try composed.apply([.setMarkedText(piece, selectedRange: start..<piece.count)])
          let place = "\(sample.name), \(position), \(piece.debugDescription), \(start)"
          let cut = text.index(text.startIndex, offsetBy: position)
          let (head, tail) = (String(text[..<cut]), String(text[cut...]))
          #expect(scalars(composed.text) == scalars(head + piece + tail), "\(place)")
          check(composed, place)

          for edits: [TextEdit] in [
            [.insertText("|")], [.deleteBackward], [.adjustTextPosition(byCharacterOffset: -1)],
            [.adjustTextPosition(byCharacterOffset: 2)], [.setMarkedText("", selectedRange: 0..<0)],
            [.setMarkedText("é", selectedRange: 0..<1), .unmarkText],
            [.unmarkText, .deleteBackward],
          ] {
            var edited = composed
            try edited.apply(edits)
            check(edited, "\(place), \(edits)")
            #expect(edited.text.utf8.starts(with: head.utf8) || edits.count > 1, "\(place)")
            try edited.apply([.unmarkText])
            check(edited, "\(place), \(edits), committed")
            // Back, as far as it goes, is the text before.
            while edited.undo() { check(edited, "\(place), \(edits), undone") }
            #expect(scalars(edited.text) == scalars(text), "\(place), \(edits)")
            while edited.redo() { check(edited, "\(place), \(edits), again") }
          }

          // The app and the user end the composing; what was composed stays, unless it is replaced.
          var selected = composed
          selected.select(0..<0)
          #expect(selected.markedText == nil && scalars(selected.text) == scalars(composed.text))
          check(selected, place)
          var replaced = composed
          replaced.replaceText(tail, selection: 0..<tail.count)
          #expect(replaced.markedText == nil && scalars(replaced.text) == scalars(tail))
          check(replaced, place)
          for range in [0..<head.unicodeScalars.count, 0..<0] {
            var partly = composed
            let isReplaced = partly.replaceScalars(range, with: "-", selection: nil)
            #expect(isReplaced, "\(place)")
            check(partly, "\(place), scalars \(range)")
          }
        }
      }
    }
  }

  @Test("every deletion and every replacement goes back and forth", arguments: ScriptSample.all)
  func undo(sample: ScriptSample) throws {
    let text = sample.text
    for start in 0...text.count {
      for end in start...text.count {
        for edit: TextEdit in [.deleteBackward, .insertText(sample.clusters[1]), .insertText("x")] {
          var document = TextDocument(text)
          document.keepHistory()
          document.select(start..<end)
          try document.apply([edit])
          let after = document.text
          guard scalars(after) != scalars(text) else { continue }
          let place = "\(sample.name), \(start)..<\(end), \(edit)"
          let isUndone = document.undo()
          #expect(isUndone && scalars(document.text) == scalars(text), "\(place)")
          check(document, place)
          let isRedone = document.redo()
          #expect(isRedone && scalars(document.text) == scalars(after), "\(place)")
          check(document, place)
        }
      }
    }
  }
}
