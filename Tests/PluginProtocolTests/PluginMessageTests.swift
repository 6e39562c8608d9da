import PluginProtocol
import StrictJSON
import Testing
import TextInput

private func decode(_ text: String) throws(ProtocolError) -> PluginMessage {
  try PluginMessage.decode(Array(text.utf8))
}

/// The transaction that answers an event, from its JSON.
private func answer(_ json: String) throws(ProtocolError) -> Transaction {
  let text = #"{"jsonrpc":"2.0","id":1,"result":"# + json + "}"
  guard case .response(1, let value) = try decode(text) else {
    throw ProtocolError(message: "not a response")
  }
  return try Transaction(decoding: value)
}

private func fault<T>(_ body: () throws(ProtocolError) -> T) -> String? {
  do throws(ProtocolError) {
    _ = try body()
    return nil
  } catch { return error.message }
}

@Suite("A keyboard's message")
struct PluginMessageTests {
  @Test("is read back as it was written")
  func exact() throws {
    let transaction = Transaction(
      edits: [
        .insertText("<b></b>\n"), .adjustTextPosition(byCharacterOffset: -4), .deleteBackward,
        .deleteBackward, .deleteBackward, .setMarkedText("ni", selectedRange: 1..<2), .unmarkText,
        .deleteBackward,
      ], actions: [.dismissKeyboard, .advanceToNextInputMode],
      layout: KeyboardLayout(rows: [
        [
          Key(id: "a", label: "A", insertText: "a"),
          Key(id: "d", label: "⌫", role: .delete, width: 1.5, longPress: "all"),
        ]
      ]), suggestions: ["one", "two"])
    let members =
      #""edits":[{"insertText":"<b></b>\n"},{"adjustTextPosition":-4},{"deleteBackward":3},"#
      + #"{"setMarkedText":"ni","selectedRange":[1,2]},{"unmarkText":true},{"deleteBackward":1}],"#
      + #""actions":["dismissKeyboard","advanceToNextInputMode"],"layout":{"rows":[[{"id":"a","#
      + #""label":"A","insertText":"a"},{"id":"d","label":"⌫","role":"delete","width":1.5,"#
      + #""longPress":"all"}]]},"suggestions":["one","two"]"#
    let response = PluginMessage.response(id: 5) { transaction.encode(into: &$0) }
    let json = #"{"jsonrpc":"2.0","id":5,"result":{"# + members + "}}"
    #expect(String(decoding: response, as: UTF8.self) == json + "\n")
    guard case .response(5, let value) = try decode(json) else {
      Issue.record("not a response")
      return
    }
    #expect(try Transaction(decoding: value) == transaction)

    let request = PluginMessage.transaction(
      id: 1, documentIdentifier: "d1", revision: 9, transaction)
    let requestJSON =
      #"{"jsonrpc":"2.0","id":1,"method":"transaction","params":{"documentIdentifier":"d1","#
      + #""revision":9,"# + members + "}}"
    #expect(String(decoding: request.encoded(), as: UTF8.self) == requestJSON + "\n")
    guard case .transaction(1, "d1", 9, transaction) = try decode(requestJSON) else {
      Issue.record("not the transaction")
      return
    }
    let lexicon = PluginMessage.lexicon(id: 2).encoded()
    #expect(
      String(decoding: lexicon, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":2,"method":"lexicon"}"# + "\n")
    guard case .lexicon(2) = try decode(#"{"jsonrpc":"2.0","id":2,"method":"lexicon"}"#),
      case .errorResponse(3, -1, "no") = try decode(
        #"{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"}}"#)
    else {
      Issue.record("not the messages")
      return
    }
    guard case .contacts(3, 0) = try decode(#"{"jsonrpc":"2.0","id":3,"method":"contacts/fetch"}"#),
      case .contacts(4, 9) = try PluginMessage.decode(
        Array(PluginMessage.contacts(id: 4, offset: 9).encoded().dropLast())),
      case .location(5) = try PluginMessage.decode(
        Array(PluginMessage.location(id: 5).encoded().dropLast()))
    else {
      Issue.record("not the questions to services")
      return
    }
    for offset in ["-1", "1.5", #""1""#, "4294967296"] {
      #expect(throws: ProtocolError.self) {
        try decode(
          #"{"jsonrpc":"2.0","id":3,"method":"contacts/fetch","params":{"offset":\#(offset)}}"#)
      }
    }
    #expect(try answer("{}") == .empty)
    #expect(try answer(#"{"suggestions":[],"later":{"x":[1]}}"#).suggestions == [])
  }

  @Test("that starts a session is read back as it was written")
  func initialize() throws {
    let result = InitializeResult(
      takesHardwareKeys: true,
      layout: KeyboardLayout(rows: [[Key(id: "a", label: "a", insertText: "a")]]))
    let line = PluginMessage.response(id: 0) { result.encode(into: &$0) }
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"takesHardwareKeys":true,"#
        + #""layout":{"rows":[[{"id":"a","label":"a","insertText":"a"}]]}}}"# + "\n")
    guard case .response(0, let value) = try PluginMessage.decode(Array(line.dropLast())) else {
      Issue.record("not a response")
      return
    }
    #expect(try InitializeResult(decoding: value) == result)
  }

  @Test(
    "that is not of the protocol is told why",
    arguments: [
      ("nonsense", "byte 0"), ("{\"jsonrpc\":\"2.0\"", "byte 16"), ("17", "not a number"),
      (#"{"jsonrpc":"1.0","id":1,"result":{}}"#, #""jsonrpc" must be the string "2.0""#),
      (#"{"jsonrpc":2.0,"id":1,"result":{}}"#, #""jsonrpc" must be the string "2.0""#),
      (#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#, "id"),
      (#"{"jsonrpc":"2.0","result":{}}"#, #"the member "id" is missing"#),
      (#"{"jsonrpc":"2.0","id":"1","result":{}}"#, #""id" must be an integer, not a string"#),
      (#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#, #""id" is not an integer that fits"#),
      (#"{"jsonrpc":"2.0","id":-1,"result":{}}"#, #""id" is -1"#),
      (#"{"jsonrpc":"2.0","id":9007199254740992,"result":{}}"#, #""id" is 9007199254740992"#),
      (#"{"jsonrpc":"2.0","id":1e400,"result":{}}"#, "byte"),
      (
        #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#, #""id" must be an integer"#
      ),
      (#"{"jsonrpc":"2.0","id":1}"#, "a message needs one of"),
      (
        #"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
        #"a response has both "result" and "error""#
      ),
      (#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, #""error" must be an object, not a string"#),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":"a","message":""}}"#, #""code" must be"#),
      (#"{"jsonrpc":"2.0","id":1,"method":"event"}"#, "this is neither"),
      (#"{"jsonrpc":"2.0","method":"lexicon"}"#, #"the member "id" is missing"#),
      (#"{"jsonrpc":"2.0","id":1,"method":"lexicon","result":1}"#, "a request has neither"),
      (#"{"jsonrpc":"2.0","id":1,"method":"transaction"}"#, #"the member "params" is missing"#),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"transaction","params":{"documentIdentifier":"d"}}"#,
        #"the member "revision" is missing"#
      ),
      (#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}"#, "surrogate"),
    ])
  func faults(json: String, expected: String) {
    let message = fault { () throws(ProtocolError) in try decode(json) }
    #expect(message?.contains(expected) == true, "\(message ?? "no error")")
  }

  @Test(
    "whose transaction is wrong names the member",
    arguments: [
      ("[]", "a transaction is an object, not an array"), ("null", "not null"),
      (#"{"edits":{}}"#, #""edits" must be an array, not an object"#),
      (#"{"edits":["x"]}"#, "an edit is an object, not a string"),
      (#"{"edits":[{}]}"#, "an edit has one of insertText"),
      (#"{"edits":[{"later":1}]}"#, "an edit has one of insertText"),
      (#"{"edits":[{"insertText":1}]}"#, #""insertText" must be a string, not a number"#),
      (#"{"edits":[{"insertText":"\u001b[0m"}]}"#, #""insertText" holds a control character"#),
      (#"{"edits":[{"insertText":"\u0085"}]}"#, #""insertText" holds a control character"#),
      (
        #"{"edits":[{"insertText":"a","deleteBackward":1}]}"#,
        #"an edit does one thing; "deleteBackward" is a second"#
      ),
      (#"{"edits":[{"deleteBackward":true}]}"#, #""deleteBackward" must be an integer"#),
      (#"{"edits":[{"deleteBackward":0}]}"#, "it must be from 1 to 4096"),
      (#"{"edits":[{"deleteBackward":4097}]}"#, "it must be from 1 to 4096"),
      (#"{"edits":[{"deleteBackward":4096},{"deleteBackward":1}]}"#, "more than 4096 edits"),
      (#"{"edits":[{"adjustTextPosition":1.5}]}"#, "is not an integer that fits"),
      (#"{"edits":[{"adjustTextPosition":9223372036854775808}]}"#, "not an integer that fits"),
      (#"{"edits":[{"adjustTextPosition":1048577}]}"#, "it must be from -1048576 to 1048576"),
      (#"{"edits":[{"setMarkedText":"a"}]}"#, #"the member "selectedRange" is missing"#),
      (#"{"edits":[{"setMarkedText":"a","selectedRange":[1]}]}"#, "must have two elements"),
      (#"{"edits":[{"setMarkedText":"a","selectedRange":[1,0]}]}"#, "ends before it begins"),
      (#"{"edits":[{"setMarkedText":"a","selectedRange":[-1,0]}]}"#, "it must be from 0"),
      (#"{"edits":[{"unmarkText":false}]}"#, #""unmarkText" must be true"#),
      (
        #"{"actions":["explode"]}"#,
        "known are dismissKeyboard, advanceToNextInputMode, playInputClick"
      ),
      (#"{"actions":[1]}"#, #""actions" must be a string"#),
      (
        #"{"actions":["dismissKeyboard","dismissKeyboard","dismissKeyboard","dismissKeyboard","#
          + #""dismissKeyboard"]}"#, "at most 4 are allowed"
      ),
      (#"{"suggestions":["a","b","c","d"]}"#, "at most 3 are allowed"),
      (#"{"suggestions":["a","a"]}"#, "a suggestion stands there twice"),
      (#"{"suggestions":[""]}"#, "a suggestion is empty"),
      (#"{"suggestions":["\n"]}"#, "a suggestion holds a control character"),
      (#"{"suggestions":[1]}"#, #""suggestions" must be a string"#),
      (#"{"layout":[]}"#, #""layout" must be an object"#),
      (#"{"layout":{}}"#, #"the member "rows" is missing"#),
      (#"{"layout":{"rows":[]}}"#, "the layout has no rows"),
      (#"{"layout":{"rows":[[]]}}"#, "row 0 has no keys"),
      (#"{"layout":{"rows":[["a"]]}}"#, "a key is an object"),
      (#"{"layout":{"rows":[[{"id":"a"}]]}}"#, #"the member "label" is missing"#),
      (#"{"layout":{"rows":[[{"id":"system.a","label":"a"}]]}}"#, "kept for the host's own keys"),
      (#"{"layout":{"rows":[[{"id":"a","label":"a","role":"x"}]]}}"#, "known are character"),
      (#"{"layout":{"rows":[[{"id":"a","label":"a","width":"1"}]]}}"#, "must be a number"),
      (#"{"layout":{"rows":[[{"id":"a","label":"a","width":11}]]}}"#, "between 0.5 and 10"),
      (
        #"{"layout":{"rows":[[{"id":"a","label":"a"},{"id":"a","label":"a"}]]}}"#,
        "a second key has this id"
      ),
    ])
  func transactionFaults(json: String, expected: String) {
    let message = fault { () throws(ProtocolError) in try answer(json) }
    #expect(message?.contains(expected) == true, "\(message ?? "no error")")
    #expect(message?.hasPrefix("byte ") == true)
  }

  @Test("that is too deep is an error also where it is ignored")
  func depth() {
    let deep = String(repeating: "[", count: 30_000)
    let message = fault { () throws(ProtocolError) in
      try decode(#"{"jsonrpc":"2.0","id":1,"later":"# + deep)
    }
    #expect(message?.contains("levels of nesting") == true)
  }

  @Test("that is not of the protocol shows no text of the user in its error")
  func privacy() {
    do throws(ProtocolError) {
      _ = try answer(#"{"edits":[{"insertText":["hunter2"]}]}"#)
      Issue.record("no error")
    } catch { #expect(!error.description.contains("hunter2")) }
  }

  @Test("that is damaged in any one byte is refused or read, never worse")
  func damage() throws {
    let json =
      #"{"jsonrpc":"2.0","id":1,"result":{"edits":[{"insertText":"aé"},{"deleteBackward":2}],"#
      + #""layout":{"rows":[[{"id":"a","label":"👍"}]]},"suggestions":["x"]}}"#
    let line = Array(json.utf8)
    for index in line.indices {
      for byte in [0x00, 0x22, 0x2C, 0x39, 0x5C, 0x7D, 0x80, 0xC3, 0xFF] as [UInt8] {
        var damaged = line
        damaged[index] = byte
        if case .response(_, let value)? = try? PluginMessage.decode(damaged) {
          _ = try? Transaction(decoding: value)
        }
      }
      _ = try? PluginMessage.decode(Array(line[..<index]))
    }
  }
}

@Suite("Traits and events")
struct ReadingTests {
  @Test("keep what nobody knows and refuse what is of the wrong type")
  func traits() throws {
    func read(_ json: String) throws -> TextInputTraits {
      try TextInputTraits(decoding: JSONDocument(parsing: json).root)
    }
    let traits = try read(
      #"{"keyboardType":"URL","isSecureTextEntry":true,"textContentType":"soul","x":1,"y":null}"#)
    #expect(traits.keyboardType == .known(.URL))
    #expect(traits.isSecureTextEntry == .known(true))
    #expect(traits.textContentType == .unknown("soul"))
    #expect(traits.autocorrectionType == .absent)
    #expect(traits.unrecognized == ["x", "y"])
    #expect(traits.isPrivate == .absent && traits.isTerminal == .absent)
    let kept = try read(#"{"isPrivate":true,"isTerminal":false}"#)
    #expect(kept.isPrivate == .known(true) && kept.isTerminal == .known(false))
    #expect(kept.incognitoCauses == [.privateField])
    for wrong in [
      #"{"isSecureTextEntry":"NO"}"#, #"{"isSecureTextEntry":1}"#, #"{"keyboardType":3}"#, "[]",
      #"{"isSecureTextEntry":null}"#, #"{"isPrivate":"yes"}"#, #"{"isTerminal":null}"#,
    ] {
      #expect(throws: JSONError.self) { try read(wrong) }
    }
  }

  @Test(
    "are refused when they are none or two",
    arguments: [
      "{}", "[]", #"{"tap":"a","longPress":"a"}"#, #"{"swipe":"diagonal"}"#,
      #"{"swipe":"left","count":0}"#, #"{"suggestion":"a"}"#, #"{"stroke":[[1,2]]}"#,
      #"{"stroke":[[1,2,1e9]]}"#, #"{"hardwareKey":{"modifiers":["hyper"]}}"#, #"{"tap":1}"#,
    ])
  func events(json: String) throws {
    let value = try JSONDocument(parsing: json).root
    #expect(throws: JSONError.self) { try InputEvent(decoding: value) }
  }
}
