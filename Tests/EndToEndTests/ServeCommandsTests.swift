import AppProtocol
import KeyboardClient
import TestSupport
import Testing
import TextInput

/// What the host does for an app beyond keys, through the real server.
@Suite("Commands of served apps")
struct ServeCommandsTests {
  /// A server on whose system keyboard apps type, and a field that has it.
  private static func field(
    _ description: DocumentDescription = DocumentDescription(), settings: [String] = [],
    presents: Bool = true
  ) throws -> (RunningServer, KeyboardClient, TextInputClient) {
    let home = try TemporaryHome()
    for setting in settings { try home.expectSuccess("settings", "system", setting, "on") }
    let server = try RunningServer(home)
    let client = try server.client(presents: presents)
    let field = try client.open("note", description)
    try field.becomeFirstResponder()
    return (server, client, field)
  }

  private static func send(
    _ input: AppInput, _ field: TextInputClient, _ client: KeyboardClient
  ) throws -> Bool {
    var answer: Bool?
    try field.send(input) { answer = $0 }
    try client.wait { answer != nil }
    return answer == true
  }

  @Test("a shake asks, and only the answer undoes")
  func undo() throws {
    let (server, client, field) = try Self.field()
    #expect(try !Self.send(.command(.shake), field, client), "there is nothing to undo")
    for word in ["one", " ", "two"] { try field.type(word) }
    #expect(try Self.send(.command(.shake), field, client))
    try client.wait { client.presentation?.undoPrompt != nil }
    #expect(client.presentation?.undoPrompt == UndoQuestion(canUndo: true, canRedo: false))
    #expect(field.text == "one two")
    #expect(try Self.send(.command(.answerUndo(.undo)), field, client))
    try client.wait { client.presentation?.undoPrompt == nil }
    #expect(field.text == "one ")
    #expect(try Self.send(.command(.shake), field, client))
    #expect(try Self.send(.command(.answerUndo(.redo)), field, client))
    #expect(field.text == "one two")
    // An answer to a question about another text does nothing.
    #expect(try Self.send(.command(.shake), field, client))
    try field.replace(0..<0, with: "x")
    #expect(try !Self.send(.command(.answerUndo(.undo)), field, client))
    #expect(field.text == "xone two")
    server.end()
  }

  @Test("a drag moves the cursor by whole characters, on the system keyboard alone")
  func drag() throws {
    let (server, client, field) = try Self.field(DocumentDescription(text: "a👨‍👩‍👧cd"))
    #expect(client.presentation?.commands == [.shake, .drag])
    #expect(try Self.send(.command(.drag(x: -20, y: 0)), field, client))
    #expect(field.selectedRange == 6..<6)
    #expect(try Self.send(.command(.drag(x: -7, y: 0)), field, client))
    #expect(field.selectedRange == 1..<1, "what is left of a step counts, and a family is one")
    #expect(try Self.send(.command(.dragEnded), field, client))
    try field.type("b")
    try client.wait { field.text == "ab👨‍👩‍👧cd" }
    server.end()

    let shouting = try RunningServer(keyboards: ["shout": PythonKeyboard.shouting])
    let other = try shouting.client(presents: true)
    let note = try other.open("note", DocumentDescription(text: "abc"))
    try note.becomeFirstResponder()
    try other.wait { other.presentation?.displayName == "shout" }
    #expect(other.presentation?.commands == [.shake])
    #expect(try !Self.send(.command(.drag(x: -20, y: 0)), note, other))
    #expect(note.selectedRange == 3..<3)
    shouting.end()
  }

  @Test("another look is asked of an app in fields that support it, and in no other")
  func format() throws {
    var traits = TextInputTraits()
    traits.allowsEditingTextAttributes = .known(true)
    let (server, client, rich) = try Self.field(DocumentDescription(traits: traits))
    #expect(client.presentation?.commands == [.shake, .drag, .format])
    var heard: [String] = []
    rich.onFormat = { heard.append("\($0.name) \($1.rawValue)") }
    let plain = try client.open("plain")
    plain.onFormat = { heard.append("\($0.name) \($1.rawValue)") }
    for look in RichTextCommand.allCases {
      #expect(try Self.send(.command(.format(look)), rich, client))
    }
    try plain.becomeFirstResponder()
    for look in RichTextCommand.allCases {
      #expect(try !Self.send(.command(.format(look)), plain, client))
    }
    #expect(heard == ["note bold", "note italic", "note underline"])
    server.end()
  }

  @Test("an app that does not draw the keyboard has no commands")
  func notPresenting() throws {
    let (server, client, field) = try Self.field(presents: false)
    try field.type("a")
    var refused: Int?
    try client.request(.event("note", .command(.shake))) { _, error in
      if case .refused(let code, _)? = error { refused = code }
    }
    try client.wait { refused != nil }
    #expect(refused == AppFault.notPresenting.rawValue)
    server.end()
  }

  @Test("keys are heard if the user wants it, from what shows alone")
  func clicks() throws {
    for isOn in [false, true] {
      let (server, client, field) = try Self.field(settings: isOn ? ["keyClicks"] : [])
      var clicks = 0
      client.onInputClick = { _ in clicks += 1 }
      let a = try #require(client.presentation?.layout.rows[1].first?.id)
      #expect(try Self.send(.event(.tap(key: a)), field, client))
      #expect(try Self.send(.character("b"), field, client), "a hardware key has its own sound")
      try client.wait { field.text.lowercased() == "ab" }
      #expect(clicks == (isOn ? 1 : 0))
      #expect(try !field.playInputClick(), "it has no input view of its own")
      try field.reloadInputViews(InputViews(inputViewHeight: 200))
      #expect(try field.playInputClick() == isOn)
      try field.resignFirstResponder()
      #expect(try !field.playInputClick(), "the view does not show")
      #expect(clicks == (isOn ? 1 : 0))
      server.end()
    }
  }

  @Test("phrases of an app's own show while a field is empty, and corrections are off meanwhile")
  func phrases() throws {
    let (server, client, field) = try Self.field(
      DocumentDescription(inputViews: InputViews(inputAccessoryViewHeight: 10)))
    var told: [[String]] = []
    field.onPhrases = { told.append($0.shownPhrases) }
    #expect(client.keyboardFrame?.height == 226)
    field.phrases.set(["yes", "no", "yes"])
    try client.wait { client.keyboardFrame?.height == 270 }
    for phrase in ["maybe", "later"] { field.phrases.add(phrase) }
    #expect(field.shownPhrases == ["no", "maybe", "later"])
    field.phrases.maximum = 2
    field.phrases.remove("maybe")
    #expect(field.shownPhrases == ["later"])
    #expect(field.effectiveAutocorrection == .known(.no))
    try field.type("x")
    try client.wait { client.keyboardFrame?.height == 226 }
    #expect(field.shownPhrases.isEmpty)
    #expect(field.effectiveAutocorrection == .absent)
    try field.replace(0..<1, with: "")
    try client.wait { client.keyboardFrame?.height == 270 }
    try field.pick("later")
    #expect(field.text == "later ")
    try client.wait { field.isConfirmed && client.keyboardFrame?.height == 226 }
    #expect(field.selectedRange == 6..<6)
    #expect(
      told == [
        ["yes", "no"], ["yes", "no", "maybe"], ["no", "maybe", "later"], ["maybe", "later"],
        ["later"], [], ["later"], [],
      ])
    server.end()
  }

  @Test("a field for the same conversation begins with the keyboard that was picked for it")
  func context() throws {
    let server = try RunningServer(keyboards: [
      "one": PythonKeyboard.plain, "two": PythonKeyboard.shouting,
    ])
    let client = try server.client(presents: true)
    let first = try client.open("1", DocumentDescription(textInputContextIdentifier: "Ann"))
    try first.becomeFirstResponder()
    #expect(try first.keyboards().map(\.isSelected) == [true, false, false])
    let two = try first.keyboards()[1].identifier
    #expect(try Self.send(.selectKeyboard(two), first, client))
    try first.close()
    let second = try client.open("2", DocumentDescription(textInputContextIdentifier: "Ann"))
    let third = try client.open("3", DocumentDescription(textInputContextIdentifier: "Bob"))
    #expect(try second.keyboards().map(\.isSelected) == [false, true, false])
    #expect(try third.keyboards().map(\.isSelected) == [true, false, false])
    server.end()
  }

  @Test("an app is told that a keyboard's text runs from right to left")
  func rightToLeft() throws {
    let home = try TemporaryHome()
    var keyboard = FixtureKeyboard(
      identifier: TemporaryHome.identifier("hebrew"), name: "hebrew", script: PythonKeyboard.plain)
    keyboard.setAttribute("PrefersRightToLeft", to: .boolean(true))
    keyboard.setAttribute("PrimaryLanguage", to: .string("he"))
    try home.expectSuccess(
      "apps", "install", try FixtureApp(keyboards: [keyboard]).write(to: home.work))
    try home.expectSuccess("keyboards", "add", TemporaryHome.identifier("hebrew"))
    let server = try RunningServer(home)
    let client = try server.client(presents: true)
    let field = try client.open("note")
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "hebrew" }
    #expect(client.presentation?.prefersRightToLeft == true)
    #expect(try Self.send(.nextKeyboard, field, client))
    try client.wait { client.presentation?.displayName == nil }
    #expect(client.presentation?.prefersRightToLeft == false)
    server.end()
  }

  @Test("the client in Python does the same")
  func pythonClient() throws {
    let home = try TemporaryHome()
    try home.expectSuccess("settings", "system", "keyClicks", "on")
    let server = try RunningServer(home)
    let script = """
      import sys
      sys.path.insert(0, "\(SourceTree.root)/Examples/Clients")
      sys.dont_write_bytecode = True
      from keyhost_client import Client, KeyboardAvoidance

      client = Client("org.example.python", presents_keyboard=True)
      field = client.open_document("note", traits={"allowsEditingTextAttributes": True}, context="Ann")
      field.become_first_responder()
      def done(command, *arguments):
          answers = []
          command(*arguments, then=lambda result, error: answers.append(result["handled"]))
          client.wait_until(lambda: answers)
          return answers[0]

      field.phrases.set(["yes", "no", "yes"])
      client.wait_until(lambda: client.keyboard_frame["height"] == 260)
      field.phrases.add("maybe")
      field.phrases.add("later")
      assert field.shown_phrases == ["no", "maybe", "later"], field.shown_phrases
      field.phrases.remove("maybe")
      field.phrases.maximum = 1
      assert field.shown_phrases == ["later"], field.shown_phrases
      field.pick("later")
      assert field.text == "later " and field.shown_phrases == []
      client.wait_until(lambda: client.keyboard_frame["height"] == 216)

      clicks = []
      client.on_input_click = clicks.append
      answers = []
      field.event(tap="system.a", then=lambda result, error: answers.append(result))
      client.wait_until(lambda: answers and clicks)
      assert len(clicks) == 1 and field.text == "later a", (clicks, field.text)
      assert done(field.shake)
      client.wait_until(lambda: "undoPrompt" in client.presentation)
      assert client.presentation["undoPrompt"]["canUndo"] is True
      assert done(field.answer_undo, "undo")
      assert field.text == "later ", field.text
      assert done(field.drag, -18, 0) and done(field.end_drag)
      assert field.selection == (4, 4), field.selection
      looks = []
      field.on_format = lambda document, look: looks.append(look)
      assert done(field.format, "italic") and looks == ["italic"]
      field.set_traits()
      assert not done(field.format, "italic") and looks == ["italic"]
      assert field.play_input_click() is False
      field.reload_input_views(inputViewHeight=200)
      assert field.play_input_click() is True
      client.close()

      view = KeyboardAvoidance(top=50, height=550, content_height=1000)
      keyboard = {"x": 0, "y": 400, "width": 300, "height": 200}
      for _ in range(2):
          view.show(keyboard, 500, 530)
          assert (view.visible_height, view.offset) == (350, 180), vars(view)
      view.show({"x": 0, "y": 356, "width": 300, "height": 244}, 500, 530)
      assert view.offset == 224
      view.hide()
      assert (view.visible_height, view.offset) == (550, 0)
      view.show(keyboard, 500, 530)
      view.scroll(250)
      view.hide()
      assert view.offset == 250
      view.show(keyboard, 400, 900)
      assert view.offset == 400
      print("done")
      """
    let result = try Program("/usr/bin/python3", environment: server.home.environment).run(
      ["-c", script])
    #expect(result.lines == ["done"], "\(result)")
    server.end()
  }
}
