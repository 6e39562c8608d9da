import Testing

@testable import TextInput

@Suite("Right and left in a text")
struct WritingDirectionTests {
  @Test(
    "go by the first letter of the paragraph that the cursor is in",
    arguments: [
      ("", 0, false), ("abc", 1, false), ("שלום", 2, true), ("مرحبا", 5, true),
      ("123 שלום", 1, true), ("«\u{2014}» مرحبا", 0, true), ("a שלום", 4, false),
      ("שלום abc", 7, true), ("abc\nשלום", 6, true), ("שלום\nabc", 6, false), ("שלום\n", 5, false),
      ("\nשלום", 0, false), ("١٢٣", 1, false), ("👍 ", 1, false), ("𞤀𞤁", 1, true), ("ﷺ", 0, true),
    ])
  func paragraph(text: String, cursor: Int, isFromRight: Bool) {
    var document = TextDocument(text)
    document.select(cursor..<cursor)
    #expect(
      WritingDirection(around: document.context()) == (isFromRight ? .rightToLeft : .leftToRight))
  }

  @Test("arrow keys and swipes move the cursor the way they point")
  func keys() throws {
    func left(_ text: String, _ event: InputEvent) throws -> Int {
      var rig = TypingRig(text)
      rig.document.select(2..<2)
      try rig.handle(event)
      return rig.document.selectedRange.lowerBound
    }
    for event in [
      InputEvent.hardwareKey(HardwareKey(characters: "", name: "Left")),
      .swipe(.left, count: 1),
    ] {
      #expect(try left("abcd", event) == 1)
      #expect(try left("שלום", event) == 3)
    }
    for event in [
      InputEvent.hardwareKey(HardwareKey(characters: "", name: "Right")),
      .swipe(.right, count: 1),
    ] {
      #expect(try left("abcd", event) == 3)
      #expect(try left("שלום", event) == 1)
    }
    // What is deleted forward is what follows in the text.
    var rig = TypingRig("שלום")
    rig.document.select(2..<2)
    try rig.handle(.hardwareKey(HardwareKey(characters: "", name: "Delete")))
    #expect(rig.text == "שלם")
  }

  @Test("a finger that drags the cursor takes it along")
  func drag() {
    func moved(_ text: String, _ x: Double) -> [TextEdit] {
      var document = TextDocument(text)
      document.select(2..<2)
      var cursor = TrackpadCursor()
      return cursor.moved(x: x, y: 0, in: document.context())
    }
    #expect(moved("abcd", 9) == [.adjustTextPosition(byCharacterOffset: 1)])
    #expect(moved("שלום", 9) == [.adjustTextPosition(byCharacterOffset: -1)])
    #expect(moved("שלום", -18) == [.adjustTextPosition(byCharacterOffset: 2)])
  }
}
