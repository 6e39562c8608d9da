import AppProtocol
import Glibc
import KeyboardClient
import TestSupport
import Testing
import TextInput

/// Apps and their fields, through the real server and keyboards in their sandbox.
@Suite("Served apps")
struct ServeTests {
  @Test("a key comes back as text, by the sandboxed keyboard, and the app's own edits go along")
  func typing() throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let client = try server.client(presents: true)
    let field = try client.open("note", DocumentDescription(text: "x"))
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "shout" }
    try field.type("abc")
    try client.wait { field.text == "xABC" }
    // Both sides at once: neither is lost. A key whose answer was stale twice is the system
    // keyboard's, which does not shout.
    for round in 0..<20 {
      try field.type("k")
      try field.replace(0..<0, with: "\(round % 10)")
      try client.process()
    }
    try client.wait { field.isConfirmed && field.text.count == 44 }
    #expect(field.text.uppercased().filter { $0 == "K" }.count == 20)
    #expect(field.text.filter(\.isNumber).count == 20)
    try field.close()
    server.end()
    #expect(!(try server.log()).contains("xABC"))
  }

  @Test("the keyboard's place is told by the rules, through two apps")
  func notifications() throws {
    let server = try RunningServer()
    let one = try server.client("org.example.one")
    let two = try server.client("org.example.two")
    var told: [String] = []
    one.onNotification = { told.append("one \($0.name)") }
    two.onNotification = { told.append("two \($0.name)") }
    let a = try one.open("a")
    let b = try one.open(
      "b", DocumentDescription(inputViews: InputViews(inputAccessoryViewHeight: 40)))
    let c = try two.open("c")
    func expect(_ expected: [String], _ what: String) throws {
      try one.wait {
        told.filter { $0.hasPrefix("one") } == expected.filter { $0.hasPrefix("one") }
      }
      try two.wait {
        told.filter { $0.hasPrefix("two") } == expected.filter { $0.hasPrefix("two") }
      }
      told = []
      _ = what
    }
    try a.becomeFirstResponder()
    try expect(["one willShow", "one didShow"], "the first field")
    try b.becomeFirstResponder()
    try expect(["one willChangeFrame", "one didChangeFrame"], "a view above it")
    #expect(one.keyboardFrame == Frame(x: 0, y: 411, width: 375, height: 256))
    try c.becomeFirstResponder()
    try expect(["one willHide", "two willShow", "two didShow"], "another owner")
    #expect(!b.isFirstResponder)
    try two.setScreen(Screen(width: 667, height: 375, orientation: .landscape))
    try expect(["two willHide", "two didHide", "two willShow", "two didShow"], "orientation")
    try c.resignFirstResponder()
    try expect(["two willHide", "two didHide"], "resigned")
    #expect(told.isEmpty)
    server.end()
  }

  @Test("an app's veto holds until it has answered yes, in time, and can change while it is active")
  func veto() throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    var answer = false
    let client = try server.client(presents: true, shouldAllow: { _ in answer })
    let field = try client.open("note")
    try field.becomeFirstResponder()
    try field.type("a")
    try client.wait { field.text == "A" || field.text == "a" }
    #expect(try field.keyboards().map(\.mayServe) == [false, true])
    #expect(try field.keyboards()[0].reasons.first?.code == "app-veto")
    answer = true
    try client.extensionPointAnswerChanged()
    try client.wait { client.presentation?.displayName == "shout" }
    try field.type("b")
    try client.wait { field.text.hasSuffix("B") }
    answer = false
    try client.extensionPointAnswerChanged()
    try client.wait { client.presentation?.displayName == nil }
    try field.type("c")
    try client.wait { field.text.hasSuffix("c") }
    // The text before a veto was never given: the keyboard hears of no field while it holds.
    #expect(field.text.count == 3)
    server.end()
  }

  @Test(
    "no answer, an error and what is no boolean are a veto",
    arguments: ["", #""result":"yes""#, #""result":null"#, #""error":{"code":1,"message":"no"}"#])
  func badAnswers(_ answer: String) throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let app = try RawApp(server.path, implementsQuestion: true)
    if !answer.isEmpty { app.send(#"{"jsonrpc":"2.0","id":0,\#(answer)}"#) }
    app.call(2, "openDocument", #""document":"d","traits":{},"text":"""#)
    _ = try app.reply(2)
    // Also after the time for an answer has passed, and when one comes then.
    usleep(1_200_000)
    if answer.isEmpty { app.send(#"{"jsonrpc":"2.0","id":0,"result":true}"#) }
    app.call(3, "listKeyboards", #""document":"d""#)
    let listed = try app.reply(3)
    #expect(
      listed.contains(#""mayServe":false,"reasons":[{"code":"app-answer-missing""#), "\(listed)")
    server.end()
  }

  @Test("a field that becomes secure is taken from the keyboard, and stays so when it is shown")
  func secureToggles() throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let client = try server.client(presents: true)
    let field = try client.open("password")
    let other = try client.open("comment")
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "shout" }
    var secure = TextInputTraits()
    secure.isSecureTextEntry = .known(true)
    var shown = TextInputTraits()
    shown.isSecureTextEntry = .known(false)
    for traits in [secure, shown, secure, shown] {
      try field.setTraits(traits)
      try field.type("p")
    }
    try client.wait { field.text.lowercased() == "pppp" }
    #expect(!field.text.contains("P") || field.text == "Pppp", "\(field.text)")
    try other.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "shout" }
    try other.type("c")
    try client.wait { other.text == "C" }
    server.end()
    #expect(try server.log().contains("sticky-secure"))
  }

  @Test("an input view of the app's own never reaches a keyboard")
  func ownInputView() throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let client = try server.client(presents: true)
    let field = try client.open(
      "pin", DocumentDescription(inputViews: InputViews(inputViewHeight: 300)))
    try field.becomeFirstResponder()
    #expect(client.keyboardFrame?.height == 300)
    var refused: [Int] = []
    try client.request(.event("pin", .character("1"))) { _, error in
      if case .refused(let code, _)? = error { refused.append(code) }
    }
    try client.wait { !refused.isEmpty }
    #expect(refused == [AppFault.hasInputView.rawValue])
    try field.insertText("12")
    try client.wait { field.isConfirmed }
    #expect(!(try server.log()).contains("\"launch\""))
    // Without it the field is one like any other.
    try field.reloadInputViews(InputViews())
    try client.wait { client.presentation?.displayName == "shout" }
    try field.type("a")
    try client.wait { field.text == "12A" }
    server.end()
  }

  @Test("a keyboard that dismisses itself leaves no first responder, and the app is told")
  func dismissed() throws {
    let script = PythonKeyboard.script(
      """
      def go(request):
          reply(request, [{"insertText": typed(request)}], actions=["dismissKeyboard"])
      serve(go)
      """)
    let server = try RunningServer(keyboards: ["go": script])
    let client = try server.client()
    let field = try client.open("note")
    var names: [KeyboardNotification.Name] = []
    var dismissals = 0
    client.onNotification = { names.append($0.name) }
    client.onDismissed = { _ in dismissals += 1 }
    try field.becomeFirstResponder()
    try field.type("a")
    try client.wait { dismissals == 1 && names.count == 4 }
    #expect(names == [.willShow, .didShow, .willHide, .didHide])
    #expect(!field.isFirstResponder)
    #expect(field.text == "a")
    server.end()
  }

  @Test("a long text goes over in pieces, both ways, and comes out the same")
  func longText() throws {
    let long = String(repeating: "Zeile 🙂\n", count: 12_000)
    let script = PythonKeyboard.script(
      """
      def more(request):
          reply(request, [{"insertText": "y" * 40000}])
      serve(more)
      """)
    let server = try RunningServer(keyboards: ["more": script])
    let client = try server.client(presents: true)
    let field = try client.open("note", DocumentDescription(text: long, selection: 0..<0))
    try client.wait { field.isConfirmed }
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "more" }
    try field.type("a")
    let expected = String(repeating: "y", count: 40_000) + long
    try client.wait { field.text.utf8.count == expected.utf8.count }
    #expect(field.text == expected)
    server.end()
  }

  @Test("a key within an app's edit that is on its way is not lost, nor is what is behind it")
  func crossedEdits() throws {
    let server = try RunningServer()
    let client = try server.client()
    let field = try client.open(
      "note", DocumentDescription(text: "abcdefghij", selection: 2..<2))
    try client.wait { field.isConfirmed }
    try field.becomeFirstResponder()
    try field.type("x")
    try field.replace(0..<4, with: "Z")
    try field.replace(1..<3, with: "")
    #expect(field.text == "Zghij")
    try client.wait { field.isConfirmed && field.text.contains("x") }
    #expect(field.text == "Zxghij")
    server.end()
  }

  @Test("the client in Python loses nothing whatever is on its way, and agrees with the host")
  func pythonInterleavings() throws {
    let count = getenv("KEYHOST_FULL") == nil ? "500" : "5000"
    let result = try Program("/usr/bin/python3").run(
      "\(SourceTree.root)/Tests/Clients/client_interleavings.py",
      "\(SourceTree.root)/Examples/Clients", count)
    #expect(result.lines == ["done"], "\(result)")
  }

  @Test("the client in Python does the same")
  func pythonClient() throws {
    let server = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let script = """
      import sys
      sys.path.insert(0, "\(SourceTree.root)/Examples/Clients")
      sys.dont_write_bytecode = True
      from keyhost_client import Client, RequestError

      client = Client("org.example.python", should_allow=lambda identifier: True,
                      presents_keyboard=True)
      field = client.open_document("note", text="x" * 10000, selection=(0, 0))
      field.become_first_responder()
      assert client.keyboard_frame["height"] == 216, client.keyboard_frame
      client.wait_until(lambda: client.presentation.get("displayName") == "shout")
      for number in range(50):
          field.type("k")
          field.replace(len(field.text), len(field.text), "é", selection=field.selection)
      handled = []
      field.event(hardwareKey={"name": "Left"}, then=lambda *both: handled.append(both))
      client.wait_until(lambda: handled and field.is_confirmed)
      client.wait_until(lambda: field.text.upper().count("K") == 50)
      assert field.text.count("é") == 50 and field.text.count("x") == 10000, field.text
      assert field.text.endswith("é" * 50)
      assert [one["mayServe"] for one in field.keyboards()] == [True, True]
      field.resign_first_responder()
      assert client.keyboard_frame is None
      assert [name for name, begin, end in client.notifications] == [
          "keyboardWillShow", "keyboardDidShow", "keyboardWillHide", "keyboardDidHide"]
      try:
          client.call("event", document="note", character="a")
          raise AssertionError("it was typed")
      except RequestError as error:
          assert error.code == RequestError.NOT_FIRST_RESPONDER
      field.close()
      client.close()
      print("done")
      """
    let result = try Program("/usr/bin/python3", environment: server.home.environment).run(
      ["-c", script])
    #expect(result.lines == ["done"], "\(result)")
    server.end()
  }
}
