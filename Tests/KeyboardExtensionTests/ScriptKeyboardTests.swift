import PluginProtocol
import TestSupport
import Testing
import TextInput

/// A keyboard that is a script, and what it answers when it is run outside any sandbox.
private struct ScriptKeyboard {
  let text: String

  init(_ path: String, replacing pairs: [(String, String)] = []) throws {
    text = try pairs.reduce(SourceTree.contents(of: path)) { text, pair in
      text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
    }
  }

  /// The text after the events, with the layout of the start.
  func type(_ events: [InputEvent]) throws -> (layout: KeyboardLayout, answers: [Transaction?]) {
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    try Files.write(text, to: "\(folder)/keyboard", mode: 0o755)
    let state = FieldState(
      documentIdentifier: "d", revision: 0, context: ContextWindow(beforeInput: "hel"))
    let request = InitializeRequest(hostVersion: "1", keyboardIdentifier: "k")
    var messages: [HostMessage] = [.initialize(id: 0, request), .focus(state)]
    for (number, event) in events.enumerated() {
      messages.append(.event(id: Int64(number) + 1, state, event))
    }
    let last = Int64(events.count) + 1
    messages += [.blur, .unrecognized(id: nil, method: "later"), .shutdown(id: last), .exit]
    // Descriptor 3 is what the test reads; what is printed goes elsewhere.
    let result = try Program("/bin/sh").run(
      ["-c", "exec 3>&1 1>&2; exec \"$0\"", "\(folder)/keyboard"],
      input: messages.flatMap { $0.encoded() })
    #expect(result.exitCode == 0, "\(result)")

    var framer = LineFramer()
    framer.append(result.standardOutputBytes)
    var answers: [Transaction?] = []
    var layout: KeyboardLayout?
    while let line = try framer.next() {
      switch try PluginMessage.decode(line) {
      case .response(0, let value): layout = try InitializeResult(decoding: value).layout
      case .response(last, _): #expect(answers.count == events.count)
      case .response(Int64(answers.count) + 1, let value):
        answers.append(try Transaction(decoding: value))
      case .errorResponse(Int64(answers.count) + 1, PluginMessage.declined, _): answers.append(nil)
      default: Issue.record("unexpected: \(String(decoding: line, as: UTF8.self))")
      }
    }
    return (try #require(layout), answers)
  }
}

@Suite("A keyboard in Python")
struct ScriptKeyboardTests {
  static let events: [InputEvent] = [
    .tap(key: "h"), .longPress(key: "delete"), .tap(key: "shift"), .tap(key: "a"),
    .tap(key: "a"), .swipe(.left, count: 3), .tap(key: "dismiss"), .tap(key: "next"),
    .tap(key: "space"), .tap(key: "none"),
  ]

  private func check(_ answers: [Transaction?]) {
    #expect(answers.count == Self.events.count)
    #expect(answers[0]?.edits == [.insertText("h")])
    #expect(answers[1]?.edits == [.deleteBackward])
    #expect(answers[2]?.layout?.key(typing: "A") != nil)
    #expect(answers[3]?.edits == [.insertText("A")])
    #expect(answers[3]?.layout?.key(typing: "a") != nil)
    #expect(answers[4]?.edits == [.insertText("a")])
    #expect(answers[5]?.edits == [.adjustTextPosition(byCharacterOffset: -3)])
    #expect(answers[6]?.actions == [.dismissKeyboard])
    #expect(answers[7]?.actions == [.advanceToNextInputMode])
    #expect(answers[8]?.edits == [.insertText(" ")])
    #expect(answers[9] == nil)
  }

  @Test("as the example is, types by the specification alone and offers words it has seen")
  func example() throws {
    let keyboard = try ScriptKeyboard(
      "Examples/Python/PythonType.app/PlugIns/PythonKeyboard.appex/PythonKeyboard")
    check(try keyboard.type(Self.events).answers)
    let answers = try keyboard.type([
      // "hel" and a space is a word seen; the next "hel" with an "x" is not its beginning.
      .tap(key: "space"), .tap(key: "x"), .suggestion(index: 0, text: "hello"),
    ]).answers
    #expect(answers[0]?.suggestions == [])
    #expect(answers[2]?.edits == [.insertText("lo ")])
  }

  @Test("as the template makes it, types")
  func template() throws {
    let path = "Templates/python/{{NAME}}.app/PlugIns/{{NAME}}Keyboard.appex/{{NAME}}Keyboard"
    let keyboard = try ScriptKeyboard(path, replacing: [("{{NAME}}", "Hello")])
    check(try keyboard.type(Self.events).answers)
    #expect(try keyboard.type([.tap(key: "greeting")]).answers[0]?.edits == [.insertText("Hello!")])
  }

  @Test("as the intruder is, types whatever it is refused")
  func intruder() throws {
    // Outside the sandbox nothing would refuse the shell, and the keyboard would become it.
    let keyboard = try ScriptKeyboard(
      "Examples/Intruder/Intruder.app/PlugIns/IntruderKeyboard.appex/IntruderKeyboard",
      replacing: [("/bin/sh", "/nonexistent/sh")])
    let answers = try keyboard.type([
      .tap(key: "h"), .tap(key: "network"), .tap(key: "microphone"), .tap(key: "shell"),
      .tap(key: "home"), .tap(key: "space"), .tap(key: "delete"), .tap(key: "next"),
    ]).answers
    #expect(answers.compactMap { $0 }.count == 8)
    #expect(answers[0]?.edits == [.insertText("h")])
    #expect(answers[1] == .empty && answers[3] == .empty)
    #expect(answers[5]?.edits == [.insertText(" ")])
    #expect(answers[6]?.edits == [.deleteBackward])
    #expect(answers[7]?.actions == [.advanceToNextInputMode])
  }
}
