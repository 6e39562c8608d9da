import StrictJSON
import Testing
import TextInput

@testable import KeyboardHost

private func step(_ line: String) throws(JSONError) -> ScriptStep {
  try ScriptStep(decoding: Array(line.utf8))
}

@Suite("Script lines")
struct ScriptStepTests {
  @Test("every verb is read")
  func verbs() throws {
    let lines = [
      #"{"open":"a","field":{"isSecureTextEntry":true},"text":"x","app":"b","answer":"deny"}"#,
      #"{"focus":"a"}"#, #"{"focus":null}"#, #"{"type":"hello"}"#, #"{"tap":"k"}"#,
      #"{"longPress":"k"}"#, #"{"swipe":"left","count":2}"#,
      #"{"hardwareKey":{"characters":"a"}}"#, #"{"suggestion":"word","index":0}"#,
      #"{"traits":"a","field":{}}"#, #"{"edit":"a","text":"t","selection":[0,1]}"#,
      #"{"select":"a","range":[1,2]}"#, #"{"answer":"deny","app":"b"}"#,
      #"{"keys":"a\b"}"#, #"{"drag":[9,-1.5]}"#, #"{"drag":null}"#, #"{"shake":true}"#,
      #"{"answerUndo":"redo"}"#, #"{"format":"italic"}"#,
      #"{"nextKeyboard":true}"#, #"{"keyboard":"k"}"#, #"{"close":"a"}"#, #"{"wait":5}"#,
    ]
    for line in lines { _ = try step(line) }
    guard case .input(.open(let id, let app, let answer, let traits, let text)) = try step(lines[0])
    else {
      Issue.record("not an open")
      return
    }
    #expect(id == DocumentID("a") && app == "b" && answer == .deny && text == "x")
    #expect(traits.isSecureTextEntry == .known(true))
    guard case .input(.appEdit(_, .replaceText("t", let selection))) = try step(lines[10]) else {
      Issue.record("not an edit")
      return
    }
    #expect(selection == 0..<1)
  }

  @Test("a key that does not go with the verb is shown in one line, escaped")
  func foreignKey() {
    let error = #expect(throws: JSONError.self) { try step(#"{"tap":"a","x\ny\u202e":1}"#) }
    #expect(error?.message == #""x\ny\u{202e}" does not go with "tap""#)
  }

  @Test(
    "a bad line is refused with its place",
    arguments: [
      ("", 1), ("[]", 1), ("{}", 1), (#"{"jump":"a"}"#, 1), (#"{"tap":1}"#, 8),
      (#"{"focus":""}"#, 2), (#"{"focus":"a","text":"b"}"#, 14), (#"{"wait":-1}"#, 2),
      (#"{"wait":600001}"#, 2), (#"{"open":"a","answer":"maybe"}"#, 13),
      (#"{"select":"a","range":[2,1]}"#, 23), (#"{"select":"a","range":"all"}"#, 23),
      (#"{"traits":"a"}"#, 1), (#"{"edit":"a"}"#, 1), (#"{"nextKeyboard":false}"#, 2),
      (#"{"answer":"deny"}"#, 1), (#"{"tap":"a","tap":"b"}"#, 12), (#"{"tap":"a"} x"#, 13),
      (#"{"drag":[1]}"#, 9), (#"{"drag":["a",1]}"#, 9), (#"{"shake":false}"#, 2),
      (#"{"answerUndo":"yes"}"#, 15), (#"{"format":"blink"}"#, 11), (#"{"keys":"a\u001b"}"#, 2),
      (#"{"format":"bold","tap":"a"}"#, 18),
      (#"{"type":"a\u001bb"}"#, 2), (#"{"type":"a\u0000"}"#, 2),
    ])
  func faults(line: String, column: Int) {
    do {
      _ = try step(line)
      Issue.record("accepted \(line)")
    } catch { #expect(error.column == column, "\(line): \(error)") }
  }
}
