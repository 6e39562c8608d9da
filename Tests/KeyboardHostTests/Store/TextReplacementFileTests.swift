import TestSupport
import Testing

@testable import KeyboardHost

@Suite("A file of text replacements")
struct TextReplacementFileTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func file(_ text: String) throws -> TextReplacementFile {
    let path = fixture.home.work + "/replacements"
    try Files.write(text, to: path)
    return try TextReplacementFile(path: path)
  }

  private func propertyList(_ entries: String) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"# + entries + "</plist>"
  }

  @Test("is read in either form; what cannot be kept is told with its place")
  func forms() throws {
    var read = try file(
      """
      {"replacements": [
        {"userInput": "omw", "documentText": "on my way"},
        {"userInput": "", "documentText": "x"}, {"userInput": 1},
        {"userInput": "b", "documentText": "\\u001b[m"},
        {"userInput": "👍", "documentText": "a\\nb"}
      ]}
      """)
    #expect(read.replacements.map(\.userInput) == ["omw", "👍"])
    #expect(
      read.faults == [
        "line 3, column 3: the text to be replaced is empty",
        "line 3, column 43: a replacement has the strings `userInput` and `documentText`",
        "line 4, column 3: a text holds a control character",
      ])
    read = try file(
      propertyList(
        "<array><dict><key>phrase</key><string>on my way</string><key>shortcut</key>"
          + "<string>omw</string></dict><dict/><string>x</string></array>"))
    #expect(read.replacements == [TextReplacement(userInput: "omw", documentText: "on my way")])
    #expect(
      read.faults
        == [2, 3].map { "entry \($0): a replacement has the strings `shortcut` and `phrase`" })
  }

  @Test("that is none is refused whole, with its place")
  func damaged() throws {
    for (text, message) in [
      ("", "replacements: "), ("{", ":1:2: "), ("{}", ":1:1: the file has no list `replacements`"),
      (#"{"replacements":1}"#, "has no list"), (propertyList("<dict/>"), "not an array"),
      (propertyList("<array>"), "line 1"), ("hello", "replacements: "),
    ] {
      #expect(storeFault { try file(text) }.contains(message), "\(text)")
    }
    #expect(storeFault { try TextReplacementFile(path: "/nowhere") }.contains("/nowhere"))
    #expect(
      storeFault { try TextReplacementFile(path: fixture.home.work) }.contains("no error") == false)
  }

  @Test("is added up to the limit, each input once, and the rest is told with its place")
  func added() throws {
    let choices = TextReplacementChoices(paths: fixture.paths)
    func many(_ range: Range<Int>) -> [TextReplacement] {
      range.map { TextReplacement(userInput: "w\($0)", documentText: "x") }
    }
    _ = try choices.add(
      many(0..<2) + [TextReplacement(userInput: "w0", documentText: "y")], log: fixture.log)
    #expect(
      try choices.list() == [
        TextReplacement(userInput: "w0", documentText: "y"),
        TextReplacement(userInput: "w1", documentText: "x"),
      ])
    var entries = try file(
      #"{"replacements": [{"userInput": "", "documentText": "x"}"#
        + (0..<1_002).map { #", {"userInput": "w\#($0)", "documentText": "z"}"# }.joined()
        + "]}")
    try entries.add(to: choices, log: fixture.log)
    #expect(
      entries.faults == [
        "line 1, column 19: the text to be replaced is empty",
        "entry 1002: there are 1000 replacements already",
        "entry 1003: there are 1000 replacements already",
      ])
    let kept = try choices.list()
    #expect(kept.count == 1_000)
    #expect(kept[0] == TextReplacement(userInput: "w0", documentText: "z"))
    #expect(
      storeFault {
        try choices.add(TextReplacement(userInput: "one", documentText: "x"), log: fixture.log)
      }.contains("1000"))
    // One that is known needs no room.
    try choices.add(TextReplacement(userInput: "w5", documentText: "five"), log: fixture.log)
    #expect(try choices.list()[5].documentText == "five")
  }
}
