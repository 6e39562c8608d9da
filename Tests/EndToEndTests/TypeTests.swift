import Glibc
import StrictJSON
import TestSupport
import Testing

/// `keyhost type`: from keys to text.
@Suite("Type")
struct TypeTests {
  static let keyboard = MisbehaviourTests.identifier

  @Test("without a keyboard the system keyboard types what comes in")
  func systemKeyboard() throws {
    let home = try TemporaryHome()
    let text = "Hello, wörld! 👩‍👩‍👧 e\u{301}\nsecond line"
    let typed = try home.keyhost("type", input: text)
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.standardOutput == text + "\n", "\(typed)")
  }

  @Test("the enabled keyboard types")
  func enabledKeyboard() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let typed = try home.keyhost("type", input: "hello")
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.standardOutput == "HELLO\n", "\(typed)")
    let run = try TypedRun(try home.keyhost("type", "--json", input: "hello"))
    #expect(run.result.exitCode == 0, "\(run.result)")
    #expect(run.handled.map(\.handler) == Array(repeating: Self.keyboard, count: 5))
    #expect(run.handled.allSatisfy { $0.reason == "keyboard" })
  }

  @Test("the system keyboard can be asked for, and a keyboard that is not enabled cannot")
  func chosenKeyboard() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let typed = try home.keyhost("type", "--keyboard", "system", input: "hello")
    #expect(typed.standardOutput == "hello\n", "\(typed)")
    #expect(try home.keyhost("keyboards", "remove", Self.keyboard).exitCode == 0)
    let refused = try home.keyhost("type", "--keyboard", Self.keyboard, input: "hello")
    #expect(refused.exitCode == 1, "\(refused)")
    #expect(refused.standardError.contains(Self.keyboard), "\(refused)")
  }

  @Test("where the system keyboard is the choice no other is started, and the log says so")
  func systemIsChosen() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    func log(_ event: String) throws -> String {
      try home.keyhost("log", "--json", "--event", event).standardOutput
    }
    let script = [#"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"wait":300}"#, #"{"type":"hi"}"#]
    let run = try TypedRun.events(home, script, "--keyboard", "system")
    #expect(run.texts == ["a": "hi"], "\(run.result)")
    #expect(run.reasons(of: "a") == ["system-keyboard-selected"])
    // Input that comes late leaves the host the time to start what it should not.
    let late = try home.keyhost.start(["type", "--keyboard", "system", "--text", "SECRET"])
    usleep(500_000)
    late.send(Array(" hi".utf8))
    late.closeInput()
    let result = late.finish()
    #expect(result.standardOutput == "SECRET hi\n", "\(result)")
    #expect(
      result.standardError
        == "document: the system keyboard, because the system keyboard is selected\n")
    #expect(try home.keyhost("keyboards", "move", "system", "1").exitCode == 0)
    #expect(try TypedRun.events(home, script).texts == ["a": "hi"])
    #expect(try log("launch") == "")
    let decisions = try log("decision")
    #expect(decisions.components(containing: "system-keyboard-selected").count == 3, "\(decisions)")
    #expect(!decisions.contains("no-keyboard-enabled"))

    // The globe and a pick from the list go on working, each said once and truly.
    let switched = try home.keyhost(
      "type", "--events",
      input: (script + [#"{"nextKeyboard":true}"#, #"{"type":"ho"}"#, #"{"keyboard":"system"}"#]
        + [#"{"type":"he"}"#]).joined(separator: "\n"))
    #expect(switched.standardOutput == "a: hiHOhe\n", "\(switched)")
    #expect(
      switched.standardError.split(separator: "\n") == [
        "a: the system keyboard, because the system keyboard is selected",
        "a: typed with FixtureKeyboard",
        "a: the system keyboard, because the system keyboard is selected",
      ], "\(switched)")
  }

  @Test(
    "what is typed into a field that refuses, and what explain says of it, have the same reasons",
    arguments: ExplainTests.rows.filter { !$0.eligible && $0.isASCIICapable }.map(\.field))
  func sameReasons(_ field: String) throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    func codes(_ value: JSONValue?) -> [String] {
      value?["reasons"]?.elements?.compactMap { $0["code"]?.string } ?? []
    }
    let explained = try home.keyhost("explain", "--json", "--field", field)
    let typed = try home.keyhost("type", "--json", "--field", field, input: "1")
    let presented = try typed.lines.map { try JSONDocument(parsing: $0).root }
      .first { $0["event"]?.string == "presented" }
    let expected = codes(try JSONDocument(parsing: explained.standardOutputBytes).root)
    #expect(!expected.isEmpty)
    #expect(codes(presented?["decision"]) == expected, "\(typed)")
    let log = try home.keyhost("log", "--json", "--event", "decision")
    let logged = try JSONDocument(parsing: try #require(log.lines.first)).root["reasons"]
    #expect(logged?.elements?.compactMap(\.string) == expected, "\(log)")
  }

  struct Field: Sendable, CustomTestStringConvertible {
    var open: String
    var reason: String
    var testDescription: String { open }
  }

  static let refusingFields: [Field] = [
    Field(open: #""field":{"isSecureTextEntry":true}"#, reason: "secure-entry"),
    Field(open: #""field":{"keyboardType":"phonePad"}"#, reason: "phone-pad"),
    Field(open: #""field":{"keyboardType":"namePhonePad"}"#, reason: "name-phone-pad"),
    Field(open: #""field":{"textContentType":"oneTimeCode"}"#, reason: "sensitive-content-type"),
    Field(open: #""field":{"keyboardType":"hologram"}"#, reason: "unknown-trait-value"),
    Field(open: #""app":"org.example.bank","answer":"deny""#, reason: "app-veto"),
    Field(open: #""app":"org.example.bank","answer":"failed""#, reason: "app-answer-missing"),
  ]

  @Test(
    "a field that refuses gets the system keyboard, and the keyboard is back in the next",
    arguments: refusingFields)
  func swapAndBack(_ field: Field) throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"first","field":{}}"#, "{\"open\":\"refusing\",\(field.open)}",
        #"{"open":"last","field":{"keyboardType":"URL"}}"#,
        #"{"focus":"first"}"#, #"{"type":"one"}"#,
        #"{"focus":"refusing"}"#, #"{"type":"12"}"#,
        #"{"focus":"last"}"#, #"{"type":"three"}"#,
      ])
    #expect(run.result.exitCode == 0, "\(run.result)")
    #expect(run.texts == ["first": "ONE", "refusing": "12", "last": "THREE"], "\(run.result)")
    #expect(run.handlers(of: "first") == [Self.keyboard])
    #expect(run.handlers(of: "refusing") == ["system"])
    #expect(run.handlers(of: "last") == [Self.keyboard])
    #expect(run.result.standardOutput.contains("\"\(field.reason)\""), "\(run.result)")

    let log = try home.keyhost("log", "--json").standardOutput
    #expect(log.contains("\"freeze\"") && log.contains("\"resume\""), "\(log)")
    // One process served both fields: it was stopped, not ended.
    #expect(log.components(containing: "\"event\":\"launch\"").count == 1, "\(log)")
  }

  @Test("a keyboard learns nothing of a field that refuses it")
  func nothingIsTold() throws {
    // What the keyboard was told goes to its errors, which the host keeps.
    let home = try MisbehaviourTests.home(
      PythonKeyboard.script(
        """
        def tell(message):
            print(json.dumps(message), file=sys.stderr, flush=True)
        def shout(request):
            tell(request)
            reply(request, [{"insertText": typed(request).upper()}])
        serve(shout, on_other=tell)
        """))
    let secret = "7319046"
    let result = try home.keyhost(
      "type", "--events", "--show-output",
      input: [
        #"{"open":"a"}"#, #"{"open":"b","field":{"isSecureTextEntry":true},"text":"zzz"}"#,
        #"{"focus":"a"}"#, #"{"type":"x"}"#, #"{"focus":"b"}"#, "{\"type\":\"\(secret)\"}",
        #"{"edit":"b","text":"zzzz"}"#, #"{"focus":"a"}"#, #"{"type":"y"}"#,
      ].joined(separator: "\n"))
    #expect(result.exitCode == 0, "\(result)")
    let told = result.standardError
    #expect(told.contains("\"focus\""), "\(result)")
    #expect(!told.contains("zzz") && !told.contains(secret), "\(result)")
    // Each key would show alone, as a tap.
    for digit in secret {
      #expect(!told.contains("\"tap\": \"key \(digit)\""), "\(result)")
    }
  }

  @Test("a field that was once secure stays refused when it shows its text")
  func stickySecure() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a","field":{"isSecureTextEntry":true}}"#, #"{"focus":"a"}"#, #"{"type":"12"}"#,
        #"{"traits":"a","field":{"isSecureTextEntry":false}}"#, #"{"type":"34"}"#,
        #"{"focus":null}"#, #"{"focus":"a"}"#, #"{"type":"56"}"#,
      ])
    #expect(run.texts == ["a": "123456"], "\(run.result)")
    #expect(run.handlers(of: "a") == ["system"])
    #expect(run.result.standardOutput.contains("sticky-secure"), "\(run.result)")
  }

  @Test("a field that turns secure under the keyboard takes it away at once")
  func turnsSecure() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"open":"b"}"#, #"{"focus":"a"}"#, #"{"type":"ab"}"#,
        #"{"traits":"a","field":{"isSecureTextEntry":true}}"#, #"{"type":"12"}"#,
        #"{"focus":"b"}"#, #"{"type":"cd"}"#,
      ])
    #expect(run.texts == ["a": "AB12", "b": "CD"], "\(run.result)")
    #expect(run.handlers(of: "a") == [Self.keyboard, "system"])
    #expect(run.handlers(of: "b") == [Self.keyboard])
  }

  @Test("an app that changes its answer takes the keyboard away and gives it back")
  func changedAnswer() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a","app":"org.example.app","answer":"allow"}"#, #"{"focus":"a"}"#,
        #"{"type":"ab"}"#, #"{"answer":"deny","app":"org.example.app"}"#, #"{"type":"12"}"#,
        #"{"answer":"allow","app":"org.example.app"}"#, #"{"type":"cd"}"#,
      ])
    #expect(run.texts == ["a": "AB12CD"], "\(run.result)")
    #expect(run.handlers(of: "a") == [Self.keyboard, "system", Self.keyboard])
  }

  @Test("the app's own edits and the keyboard's meet in one text")
  func appEdits() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a","text":"start "}"#, #"{"focus":"a"}"#, #"{"type":"ab"}"#,
        #"{"edit":"a","text":"new","selection":[1,2]}"#, #"{"type":"cd"}"#,
        #"{"select":"a","range":[0,0]}"#, #"{"type":"e"}"#,
      ])
    #expect(run.texts == ["a": "EnCDw"], "\(run.result)")
  }

  @Test("five hundred keys come out in order, with the keyboard ending in the middle")
  func manyKeys() throws {
    let home = try MisbehaviourTests.home(
      PythonKeyboard.script(
        """
        import random
        def jitter(request):
            time.sleep(random.random() * 0.004)
            answer(request)
            if number() == 200:
                os._exit(1)
        serve(jitter)
        """))
    let text = String((0..<500).map { "abcdefghijklmnopqrstuvwxyz 123".randomElement($0) })
    let typed = try home.keyhost("type", input: text)
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.standardOutput == text + "\n", "\(typed)")
  }

  @Test(
    "a faulty line of a script is named, and what stands around it is done",
    arguments: [
      "{", "[]", "{}", "{\"tap\":7}", "{\"nonsense\":1}", "{\"focus\":\"nowhere\"}",
      "{\"type\":\"x\",\"type\":\"y\"}", "{\"wait\":-1}", "{\"select\":\"a\",\"range\":[5,1]}",
    ])
  func faultyLine(_ line: String) throws {
    let home = try TemporaryHome()
    let result = try home.keyhost(
      "type", "--events",
      input:
        "{\"open\":\"a\"}\n{\"focus\":\"a\"}\n{\"type\":\"one\"}\n\(line)\n{\"type\":\"two\"}\n")
    #expect(result.end == .exited(1) || result.end == .exited(2), "\(result)")
    #expect(!result.standardError.isEmpty)
    expectPlainText(result.standardError)
    #expect(result.standardOutput.contains("one"), "\(result)")
  }

  @Test("input that is no text is an error with its place, and what came before is kept")
  func notText() throws {
    let home = try TemporaryHome()
    let result = try home.keyhost.run(["type"], input: Array("abc".utf8) + [0xFF, 0xFE, 0x64])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardError.contains("byte 3"), "\(result)")
    #expect(result.standardOutput.hasPrefix("abc"), "\(result)")
  }

  @Test("each transaction is reported with who handled it and why")
  func transactions() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let result = try home.keyhost("type", "--json", input: "a")
    let handled = try #require(
      try result.lines.map { try JSONDocument(parsing: Array($0.utf8)).root }
        .first { $0["event"]?.string == "handled" })
    #expect(handled["handler"]?.string == "keyboard")
    #expect(handled["keyboard"]?.string == Self.keyboard)
    #expect(handled["reason"]?.string == "keyboard")
    let edits = try #require(handled["transaction"]?["edits"]?.elements)
    #expect(edits.first?["insertText"]?.string == "A")
  }

  @Test("a revoked keyboard is never started, and the log tells of every launch and its layers")
  func launchIsLogged() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    #expect(try home.keyhost("type", input: "a").standardOutput == "A\n")
    let log = try home.keyhost("log", "--json", "--event", "launch")
    let line = try #require(log.lines.first, "\(log)")
    let launch = try JSONDocument(parsing: Array(line.utf8)).root
    #expect(launch["keyboard"]?.string == Self.keyboard)
    for word in ["seccomp", "landlock", "noNewPrivileges"] {
      #expect(line.contains(word), "\(line)")
    }
    // The digest of the compiled policy: SHA-256 in hexadecimal.
    let digits = line.split { !$0.isHexDigit }.filter { $0.count == 64 }
    #expect(!digits.isEmpty, "\(line)")
    let path = try #require(
      try Files.tree("\(home.path)/state").first { $0.hasSuffix(".jsonl") || $0.hasSuffix(".log") })
    #expect(Files.mode("\(home.path)/state/\(path)") == 0o600)
  }
}

extension String {
  /// The lines that hold the words.
  func components(containing words: String) -> [Substring] {
    split(separator: "\n").filter { $0.contains(words) }
  }

  fileprivate func randomElement(_ seed: Int) -> Character {
    let characters = Array(self)
    return characters[(seed &* 7919 &+ seed / 3) % characters.count]
  }
}
