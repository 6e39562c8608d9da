import AppProtocol
import PluginProtocol
import TestSupport
import Testing
import TextInput

@Suite("Messages of apps")
struct AppMessageTests {
  private static func call(_ method: String, _ params: String, id: String = "1") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#
  }

  @Test(
    "that are none of the protocol are refused with their place",
    arguments: [
      ("", "byte 0"),
      ("[]", "a message is an object"),
      (#"{"jsonrpc":"2.0","id":1,"result":true,"error":{"code":1,"message":""}}"#, "both"),
      (#"{"jsonrpc":"2.0","id":1}"#, "needs one of"),
      (call("focus", ""), "no such method"),
      (call("closeDocument", #""document":"""#), "is empty"),
      (call("closeDocument", #""document":7"#), "must be a string"),
      (call("closeDocument", #""document":"a""#, id: "-1"), "must be from 0"),
      (call("closeDocument", #""document":"a","document":"b""#), "stands twice"),
      (
        call("replaceText", #""document":"a","baseRevision":0,"range":[3,1],"text":"""#),
        "ends before it begins"
      ),
      (
        call("replaceText", #""document":"a","baseRevision":0,"range":[1],"text":"""#),
        "a beginning and an end"
      ),
      (call("event", #""document":"a""#), "an event is one of"),
      (call("event", #""document":"a","character":"ab""#), "one user-perceived character"),
      (call("event", #""document":"a","character":"\u001b""#), "none of control"),
      (call("event", #""document":"a","character":"a","nextKeyboard":true"#), "an event is one of"),
      (call("event", #""document":"a","nextKeyboard":false"#), "is true or left out"),
      (call("event", #""document":"a","shake":false"#), "is true or left out"),
      (call("event", #""document":"a","shake":true,"dragEnded":true"#), "one thing"),
      (call("event", #""document":"a","shake":true,"character":"a""#), "an event is one of"),
      (call("event", #""document":"a","answerUndo":"all""#), "known are undo, redo, cancel"),
      (call("event", #""document":"a","drag":[1]"#), "to the right and down"),
      (call("event", #""document":"a","drag":[1,1e9]"#), "has numbers from"),
      (call("event", #""document":"a","drag":["1",0]"#), "has numbers from"),
      (call("event", #""document":"a","format":"blink""#), "known are bold"),
      (
        call(
          "openDocument",
          #""document":"a","traits":{},"text":"","textInputContextIdentifier":"""#),
        "is empty"
      ),
      (
        call("setScreen", #""screen":{"width":0,"height":1,"orientation":"portrait"}"#),
        "must be from 1"
      ),
      (
        call("setTraits", #""document":"a","traits":{"isSecureTextEntry":"yes"}"#),
        "must be a boolean"
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"extensionPointAnswerChanged"}"#, "is a notification"),
    ])
  func refused(_ line: String, _ message: String) {
    do {
      let read = try AppMessage.decode(Array(line.utf8))
      Issue.record("\(line) was read as \(read)")
    } catch {
      #expect("\(error)".contains(message), "\(line): \(error)")
    }
  }

  @Test("an answer that is no boolean is one that nobody can take for yes")
  func answers() throws {
    for (text, expected) in [("true", true), ("false", false)] {
      guard case .answer(3, expected) = try answer(text) else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in ["null", "1", "\"true\"", "[true]", "{}"] {
      guard case .answer(3, nil) = try answer(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  private func answer(_ text: String) throws -> AppMessage {
    try AppMessage.decode(Array(#"{"jsonrpc":"2.0","id":3,"result":\#(text)}"#.utf8))
  }

  @Test("damaged anywhere are read or refused, and never more than that")
  func damage() throws {
    var random = SplitMix(seed: 11)
    let line = Array(
      Self.call(
        "openDocument",
        #""document":"a","traits":{"keyboardType":"URL"},"text":"é","selection":[0,1]"#
      ).utf8)
    for _ in 0..<5_000 {
      var damaged = line
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      if let message = try? AppMessage.decode(damaged) { _ = message.encoded() }
      _ = try? ServerMessage.decode(damaged)
    }
  }

  @Test("the greatest presentation stays within a line")
  func greatest() {
    let text = String(repeating: "\t", count: KeyboardLayout.maximumTextBytes)
    let rows = (0..<KeyboardLayout.maximumRows).map { row in
      (0..<KeyboardLayout.maximumKeysInRow).map { column in
        var key = Key(
          id: "\(row)/\(column)" + String(repeating: "x", count: 120),
          label: String(repeating: "x", count: 128))
        key.insertText = text
        key.longPress = String(repeating: "x", count: 128)
        return key
      }
    }
    let reason = ShownReason(code: "code", text: String(repeating: "\u{1}", count: 400))
    let message = ServerMessage.presentation(
      KeyboardPresentation(
        document: "d", displayName: String(repeating: "\u{1}", count: 400),
        layout: KeyboardLayout(rows: rows),
        suggestions: Array(repeating: String(repeating: "\u{1}", count: 256), count: 3),
        reasons: Array(repeating: reason, count: 20)))
    #expect(message.encoded().count <= AppProtocolLimits.hostLineBytes)
  }
}
