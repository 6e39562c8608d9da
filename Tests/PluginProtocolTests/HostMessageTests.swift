import PluginProtocol
import Testing
import TextInput

private func line(_ message: HostMessage) -> String {
  String(decoding: message.encoded(), as: UTF8.self)
}

private func decode(_ text: String) throws(ProtocolError) -> HostMessage {
  try HostMessage.decode(Array(text.utf8))
}

private let field = FieldState(
  documentIdentifier: "d1", revision: 7, context: ContextWindow(beforeInput: "ab", afterInput: "c"))
private let fieldJSON =
  #""documentIdentifier":"d1","revision":7,"context":{"beforeInput":"ab","afterInput":"c"}"#

@Suite("A host's message")
struct HostMessageTests {
  static var examples: [(HostMessage, String)] {
    var secret = TextInputTraits()
    secret.keyboardType = .known(.emailAddress)
    secret.isSecureTextEntry = .known(false)
    secret.returnKeyType = .unknown("fly")
    var traited = field
    traited.traits = secret
    var rich = field
    rich.context.selectedText = "s"
    rich.context.markedText = "m"
    rich.context.isTruncatedBefore = true
    rich.context.isTruncatedAfter = true
    rich.context.isTruncatedSelection = true
    let request = InitializeRequest(
      hostVersion: "1.0", keyboardIdentifier: "org.example.k", primaryLanguage: "en",
      hasFullAccess: true,
      settings: [
        Setting("a", .string("x\n\"")), Setting("b", .bool(true)), Setting("c", .integer(-3)),
        Setting("d", .real(0.5)), Setting("e", .list(["1", "2"])),
      ], environment: LayoutEnvironment(orientation: .landscape, width: 812))
    let event = #"{"jsonrpc":"2.0","id":4,"method":"event","params":{"# + fieldJSON + #","event":"#
    return [
      (
        .initialize(id: 0, request),
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersions":[1],"#
          + #""hostVersion":"1.0","keyboardIdentifier":"org.example.k","primaryLanguage":"en","#
          + #""hasFullAccess":true,"needsInputModeSwitchKey":false,"settings":{"a":"x\n\"","#
          + #""b":true,"c":-3,"d":0.5,"e":["1","2"]},"environment":{"orientation":"landscape","#
          + #""width":812}}}"#
      ),
      (
        .focus(traited),
        #"{"jsonrpc":"2.0","method":"focus","params":{"# + fieldJSON
          + #","traits":{"keyboardType":"emailAddress","returnKeyType":"fly","#
          + #""isSecureTextEntry":false}}}"#
      ),
      (
        .change(rich, cause: .user, textChanged: false, selectionChanged: true),
        #"{"jsonrpc":"2.0","method":"change","params":{"documentIdentifier":"d1","revision":7,"#
          + #""context":{"beforeInput":"ab","afterInput":"c","selectedText":"s","markedText":"m","#
          + #""isTruncatedBefore":true,"isTruncatedAfter":true,"isTruncatedSelection":true},"#
          + #""cause":"user","textChanged":false,"selectionChanged":true}}"#
      ),
      (.blur, #"{"jsonrpc":"2.0","method":"blur"}"#),
      (.exit, #"{"jsonrpc":"2.0","method":"exit"}"#),
      (.shutdown(id: 9), #"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#),
      (.event(id: 4, field, .tap(key: "q")), event + #"{"tap":"q"}}}"#),
      (.event(id: 4, field, .longPress(key: "q")), event + #"{"longPress":"q"}}}"#),
      (.event(id: 4, field, .swipe(.left, count: 2)), event + #"{"swipe":"left","count":2}}}"#),
      (
        .event(
          id: 4, field,
          .hardwareKey(HardwareKey(characters: "A", name: "a", modifiers: [.capsLock, .shift]))),
        event + #"{"hardwareKey":{"characters":"A","name":"a","modifiers":["shift","capsLock"]}}}}"#
      ),
      (
        .event(id: 4, field, .suggestion(index: 1, text: "hello")),
        event + #"{"suggestion":"hello","index":1}}}"#
      ),
      (
        .event(id: 4, field, .stroke([StrokePoint(x: 1, y: 2.5, time: 0)])),
        event + #"{"stroke":[[1.0,2.5,0.0]]}}}"#
      ),
      (
        .settings([Setting("a", .bool(false))]),
        #"{"jsonrpc":"2.0","method":"settings","params":{"settings":{"a":false}}}"#
      ),
      (
        .environment(LayoutEnvironment()),
        #"{"jsonrpc":"2.0","method":"environment","params":{"orientation":"portrait","width":375}}"#
      ),
      (
        .transactionReply(id: 1, applied: true, field),
        #"{"jsonrpc":"2.0","id":1,"result":{"applied":true,"field":{"# + fieldJSON + "}}}"
      ),
      (
        .transactionReply(id: 1, applied: false, nil),
        #"{"jsonrpc":"2.0","id":1,"result":{"applied":false}}"#
      ),
      (
        .lexiconReply(id: 2, [LexiconEntry(userInput: "omw", documentText: "On my way!")]),
        #"{"jsonrpc":"2.0","id":2,"result":{"entries":[{"userInput":"omw","#
          + #""documentText":"On my way!"}]}}"#
      ),
      (
        .failure(id: nil, code: -32700, message: "no"),
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#
      ),
      (
        .failure(id: 3, code: -32601, message: "no"),
        #"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#
      ),
      (
        .unrecognized(id: 3, method: "later"), #"{"jsonrpc":"2.0","id":3,"method":"later"}"#
      ),
      (.unrecognized(id: nil, method: "later"), #"{"jsonrpc":"2.0","method":"later"}"#),
    ]
  }

  @Test("has one form, and is read back as it was", arguments: examples)
  func exact(message: HostMessage, json: String) throws {
    #expect(line(message) == json + "\n")
    #expect(try decode(json) == message)
  }

  @Test("fits one line whatever it is made of")
  func worstCases() throws {
    let bad = String(repeating: "\u{1}", count: 200_000)
    var traits = TextInputTraits()
    traits.keyboardType = .unknown(bad)
    traits.keyboardAppearance = .unknown(bad)
    traits.returnKeyType = .unknown(bad)
    traits.autocapitalizationType = .unknown(bad)
    traits.autocorrectionType = .unknown(bad)
    traits.spellCheckingType = .unknown(bad)
    traits.smartQuotesType = .unknown(bad)
    traits.smartDashesType = .unknown(bad)
    traits.smartInsertDeleteType = .unknown(bad)
    traits.textContentType = .unknown(bad)
    traits.unrecognized = [bad]
    let state = FieldState(
      documentIdentifier: bad, revision: .max,
      context: ContextWindow(
        beforeInput: bad, afterInput: bad, selectedText: bad, markedText: bad), traits: traits)
    let point = StrokePoint(x: -1e300, y: .nan, time: -999_999.987654321)
    let settings = (0..<5000).map { Setting("\($0)" + bad.prefix($0), .string("\u{2}\u{2}")) }
    let messages: [HostMessage] = [
      .initialize(
        id: .max,
        InitializeRequest(
          hostVersion: bad, keyboardIdentifier: bad, primaryLanguage: bad, settings: settings,
          environment: LayoutEnvironment(width: .max))),
      .focus(state), .change(state, cause: .keyboard, textChanged: true, selectionChanged: true),
      .event(id: .max, state, .stroke(Array(repeating: point, count: 10_000))),
      .event(id: 1, state, .tap(key: bad)), .event(id: 1, state, .suggestion(index: -1, text: bad)),
      .event(id: 1, state, .hardwareKey(HardwareKey(characters: bad, name: bad))),
      .event(id: 1, state, .hardwareKey(HardwareKey(characters: ""))),
      .event(id: 1, state, .swipe(.left, count: .max)), .settings(settings),
      .settings([Setting("a", .list(Array(repeating: bad, count: 5))), Setting("b", .bool(true))]),
      .settings([Setting("a", .real(.infinity)), Setting("a", .real(1))]),
      .transactionReply(id: 1, applied: false, state),
      .lexiconReply(
        id: 1, Array(repeating: LexiconEntry(userInput: "\u{3}", documentText: "x"), count: 9000)),
      .lexiconReply(id: 1, [LexiconEntry(userInput: bad, documentText: bad)]),
      .failure(id: 1, code: 1, message: bad), .unrecognized(id: nil, method: bad),
    ]
    for message in messages {
      let bytes = message.encoded()
      #expect(bytes.count <= 65_536)
      #expect(bytes.last == 0x0A && bytes.dropLast().allSatisfy { $0 >= 0x20 })
      if case .initialize(.max, _) = message { continue }
      if case .event(.max, _, _) = message { continue }
      #expect(throws: Never.self) { try HostMessage.decode(Array(bytes.dropLast())) }
    }
  }

  @Test(
    "that is wrong is told what is wrong",
    arguments: [
      ("[]", "byte 0: a message is an object, not an array"),
      ("{}", #"byte 0: the member "jsonrpc" is missing"#),
      (#"{"jsonrpc":"2.0"}"#, #"byte 0: a message needs one of "method", "result" and "error""#),
      (
        #"{"jsonrpc":"2.0","method":"focus","params":{"documentIdentifier":1}}"#,
        #"byte 65: "documentIdentifier" must be a string, not a number"#
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"event","params":{"documentIdentifier":"d","#
          + #""revision":0,"context":{"beforeInput":"","afterInput":""},"event":{}}}"#,
        "byte 142: an event has one of tap, longPress, swipe, hardwareKey, suggestion, stroke"
      ),
    ])
  func faults(json: String, message: String) {
    #expect(throws: ProtocolError(message: message)) { try decode(json) }
  }
}
