import AppProtocol
import KeyboardClient
import TestSupport
import Testing
import TextInput

/// What the client libraries do with fields that are closed, and edits that are refused.
@Suite("The fields of the client libraries")
struct ClientFieldTests {
  @Test("nothing of a field that was closed goes into the next one of its name")
  func closedFields() throws {
    let server = try RunningServer()
    let client = try server.client()
    for selection in [0..<0, nil] {
      let old = try client.open("chat")
      try old.becomeFirstResponder()
      for number in 0..<4 { try old.replace(0..<0, with: "secret\(number) ") }
      var heard: [Bool] = []
      try old.send(.character("k")) { heard.append($0) }
      try old.close()
      // What was done before it was closed is done.
      #expect(heard == [true] && old.isClosed && client.documents.isEmpty)
      #expect(old.text.sorted() == "secret0 secret1 secret2 secret3 k".sorted())
      let new = try client.open("chat", DocumentDescription(text: "new", selection: selection))
      try new.becomeFirstResponder()
      try new.replace(0..<0, with: "a ")
      try client.wait { new.isConfirmed }
      for use: () throws -> Void in [
        { try old.replace(0..<0, with: "x") }, { try old.select(0..<0) },
        { try old.send(.character("x")) }, { try old.becomeFirstResponder() },
        { try old.resignFirstResponder() }, { try old.setTraits(TextInputTraits()) },
        { try old.reloadInputViews(InputViews()) }, { _ = try old.playInputClick() },
        { _ = try old.keyboards() }, { try old.pick("x") },
      ] {
        #expect(throws: KeyboardClientError.closed(field: "chat"), performing: use)
      }
      old.phrases.set(["Yes"])
      try old.close()
      #expect(client.documents["chat"] === new && new.isFirstResponder && !old.isFirstResponder)
      try new.send(.character("!"))
      try client.wait { new.text.contains("!") && new.isConfirmed }
      #expect(new.text.sorted() == "a new!".sorted())
      try new.close()
      #expect(client.documents.isEmpty)
    }
    server.end()
  }

  @Test("what is done by whom hears of the last key, while a field is closed, is sent to nobody")
  func closedMeanwhile() throws {
    let server = try RunningServer()
    let client = try server.client()
    let old = try client.open("chat")
    try old.becomeFirstResponder()
    var heard: [Bool] = []
    try old.send(.character("k"))
    old.onChange = { field in
      try? field.send(.character("x")) { heard.append($0) }
      try? field.replace(0..<0, with: "late")
    }
    try old.close()
    #expect(heard == [false] && old.isClosed)
    let new = try client.open("chat")
    _ = try client.call(.setScreen(Screen()))
    #expect(new.text.isEmpty && new.isConfirmed)
    server.end()
  }

  @Test("keys that wait behind an edit are typed where they were meant to be, whatever comes next")
  func movedFocus() throws {
    let server = try RunningServer()
    let client = try server.client()
    let one = try client.open("one")
    let two = try client.open("two")
    var heard: [Bool] = []
    func type(_ text: String, _ field: TextInputClient) throws {
      for character in text {
        try field.send(.character(String(character))) { heard.append($0) }
      }
    }
    try one.becomeFirstResponder()
    try one.replace(0..<0, with: "e")
    try type("one", one)
    try two.becomeFirstResponder()
    try type("two", two)
    try two.replace(0..<0, with: "E")
    try type("x", two)
    try two.resignFirstResponder()
    try client.wait { heard.count == 7 }
    #expect(heard.allSatisfy { $0 })
    #expect(one.text == "eone" && two.text.sorted() == "Etwox".sorted())
    try one.becomeFirstResponder()
    try one.replace(4..<4, with: ".")
    try type("y", one)
    var secure = TextInputTraits()
    secure.isSecureTextEntry = .known(true)
    try one.setTraits(secure)
    try one.replace(6..<6, with: ".")
    try type("z", one)
    try one.reloadInputViews(InputViews(inputViewHeight: 100))
    try client.wait { heard.count == 9 }
    #expect(heard.allSatisfy { $0 } && one.text == "eone.y.z")
    server.end()
  }

  @Test("an edit that is refused in a later piece is undone, and one that is right is made")
  func refusedEdit() throws {
    let server = try RunningServer()
    let client = try server.client()
    let field = try client.open("draft")
    try field.becomeFirstResponder()
    let draft = "my precious draft" + String(repeating: "é", count: 9_000)
    try field.replace(0..<0, with: draft)
    try client.wait { field.isConfirmed }
    var refused = 0
    field.onRefusedEdit = { _, _ in refused += 1 }
    let tooLong = "e" + String(repeating: "\u{301}", count: 1_500)
    try field.replace(
      0..<draft.unicodeScalars.count, with: String(repeating: "n", count: 5_000) + tooLong)
    try client.wait { field.isConfirmed }
    #expect(refused == 1)
    #expect(field.text == draft)
    try field.send(.character("!"))
    try client.wait { field.text == draft + "!" }
    let right = String(repeating: "n", count: 9_000)
    try field.replace(0..<(draft.unicodeScalars.count + 1), with: right)
    try client.wait { field.isConfirmed }
    #expect(refused == 1 && field.text == right)
    server.end()
  }

  @Test("the client in Python does the same, and takes nothing that it cannot send")
  func python() throws {
    let server = try RunningServer()
    let result = try Program("/usr/bin/python3", environment: server.home.environment).run([
      "\(SourceTree.root)/Tests/Clients/client_fields.py", "\(SourceTree.root)/Examples/Clients",
    ])
    #expect(result.lines == ["done"], "\(result)")
    server.end()
  }

  @Test("an edit that a host calls stale for no reason is refused, and not sent for ever")
  func staleForEver() throws {
    let home = try TemporaryHome()
    func host(_ name: String) throws -> (RunningProgram, String) {
      let path = "\(home.work)/\(name)"
      let program = try Program("/usr/bin/python3").start([
        "\(SourceTree.root)/Tests/Clients/stale_host.py", path,
      ])
      #expect(program.readLine() == "listening")
      return (program, path)
    }
    func swift(_ path: String) throws {
      let client = try KeyboardClient(path: path, appIdentifier: "org.example.notes")
      let field = try client.open("f", DocumentDescription(text: "b"))
      var refused = 0
      field.onRefusedEdit = { _, _ in refused += 1 }
      try field.replace(0..<1, with: "a")
      try client.wait { field.isConfirmed }
      #expect(field.text == "b" && refused == 1)
    }
    let (first, path) = try host("one")
    try swift(path)
    #expect(first.finish().lines.last == "1")
    let (second, other) = try host("two")
    let script = """
      import sys
      sys.path.insert(0, "\(SourceTree.root)/Examples/Clients")
      sys.dont_write_bytecode = True
      from keyhost_client import Client
      client = Client("org.example.notes", path="\(other)")
      field = client.open_document("f", text="b")
      client.on_refused_edit = lambda document, error: print(error)
      field.replace(0, 1, "a")
      client.wait_until(lambda: field.is_confirmed)
      assert field.text == "b"
      """
    let result = try Program("/usr/bin/python3").run(["-c", script])
    #expect(result.lines == ["the text has changed"], "\(result)")
    #expect(second.finish().lines.last == "1")
  }
}
