import Testing

@testable import KeyboardHost

@Suite("Typed text")
struct TypedTextTests {
  private static let text = "aé\r\n👨‍👩‍👧🇩🇪🇫🇷e\u{301}한\n\tक्षि❤️"

  @Test("characters come out whole, however the bytes are cut", arguments: 1...12)
  func cuts(size: Int) throws {
    var typed = TypedText()
    var whole: [String] = []
    let bytes = Array(Self.text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      try typed.append(Array(bytes[start..<end]), isLast: false, into: &whole)
    }
    try typed.append([], isLast: true, into: &whole)
    #expect(whole == Self.text.map { String($0) })
  }

  @Test("a line typed at a terminal comes out when it is entered")
  func lines() throws {
    var typed = TypedText()
    var whole: [String] = []
    try typed.append(Array("ab\n".utf8), isLast: false, into: &whole)
    #expect(whole == ["a", "b", "\n"])
  }

  @Test(
    "what is no text is named with its place, and what stands before it is kept",
    arguments: [
      ([0x61, 0xFF], 1), ([0x61, 0x62, 0xC0, 0x80], 2), ([0x61, 0xED, 0xA0, 0x80], 1),
      ([0x61, 0xE2, 0x28], 1), ([0x61, 0x1B, 0x62], 1), ([0xC3, 0xA9, 0x07], 2),
    ] as [([UInt8], Int)])
  func faults(bytes: [UInt8], offset: Int) {
    var typed = TypedText()
    var whole: [String] = []
    do {
      try typed.append(bytes, isLast: true, into: &whole)
      Issue.record("accepted")
    } catch {
      #expect(error.offset == offset)
      #expect(whole.joined().utf8.count == offset)
    }
  }

  @Test("a scalar that is cut by the end is a fault")
  func cutByEnd() throws {
    var typed = TypedText()
    var whole: [String] = []
    try typed.append([0x61, 0xE2, 0x82], isLast: false, into: &whole)
    #expect(throws: TypedText.Fault.self) { try typed.append([], isLast: true, into: &whole) }
    #expect(whole == ["a"])
  }
}
