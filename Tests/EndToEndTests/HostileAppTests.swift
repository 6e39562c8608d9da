import AppProtocol
import Glibc
import KeyboardClient
import TestSupport
import Testing
import TextInput

/// Whatever one app does, others type on, and no text goes into a field it was not meant for.
@Suite("Hostile apps")
struct HostileAppTests {
  /// Types a word in a well-behaved app, which has to come out.
  private static func expectTyping(_ client: KeyboardClient, _ field: TextInputClient) throws {
    try field.becomeFirstResponder()
    let before = field.text
    try field.type("word")
    try client.wait { field.text == before + "word" }
  }

  @Test("a focus that goes back and forth never puts text into another field")
  func focus() throws {
    // A keyboard that is slow now and then, and sometimes too slow.
    let slow = PythonKeyboard.script(
      """
      def dawdle(request):
          if number() % 40 == 7:
              time.sleep(0.02)
          if number() % 200 == 99:
              time.sleep(0.15)
          answer(request)
      serve(dawdle)
      """)
    let server = try RunningServer(keyboards: ["slow": slow])
    let clients = [try server.client("org.example.a"), try server.client("org.example.b")]
    // Each field is typed into with a letter of its own.
    let letters = ["a", "b", "c", "d"]
    let fields = try letters.enumerated().map { try clients[$0.offset / 2].open($0.element) }
    var expected = [0, 0, 0, 0]
    var sent = 0
    var answers = 0
    var random = SplitMix(seed: 17)
    let rounds = getenv("KEYHOST_FULL") == nil ? 200 : 1_000
    for _ in 0..<rounds {
      let index = Int.random(in: 0..<4, using: &random)
      try fields[index].becomeFirstResponder()
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        sent += 1
        // One that comes when the other app has taken the keyboard is refused, and typed nowhere.
        try fields[index].send(.character(letters[index])) { handled in
          answers += 1
          if handled { expected[index] += 1 }
        }
      }
    }
    for client in clients { try client.process() }
    try clients[0].wait {
      try? clients[1].process()
      return answers == sent
    }
    #expect(expected.reduce(0, +) > rounds * 3 / 10)
    for index in 0..<4 {
      #expect(fields[index].text == String(repeating: letters[index], count: expected[index]))
    }
    server.end()
  }

  @Test("ten thousand fast keys come out as typed, with delays and crashes of the keyboard")
  func fastKeys() throws {
    let script = PythonKeyboard.script(
      """
      import random
      def wild(request):
          chance = random.random()
          if chance < 0.0005:
              os._exit(1)
          if chance < 0.01:
              time.sleep(0.01)
          if chance < 0.0015:
              time.sleep(0.2)
          answer(request)
      serve(wild)
      """)
    let server = try RunningServer(keyboards: ["wild": script])
    let client = try server.client()
    client.patience = 120_000
    let text = String(repeating: "abcdefghij", count: 100)
    for round in 0..<10 {
      let field = try client.open("note \(round)")
      try field.becomeFirstResponder()
      var answers = 0
      for character in text {
        try field.send(.character(String(character))) { _ in answers += 1 }
      }
      try client.wait { answers == text.count }
      #expect(field.text == text)
    }
    server.end()
  }

  @Test("an app that floods slows itself alone")
  func flood() throws {
    let server = try RunningServer()
    let client = try server.client()
    let field = try client.open("note")
    let flooding = try (0..<3).map { _ in try RawApp(server.path) }
    let request = #"{"jsonrpc":"2.0","id":9,"method":"resignFirstResponder"}"# + "\n"
    let block = Array(String(repeating: request, count: 500).utf8)
    var sent = 0
    for _ in 0..<200 {
      for app in flooding {
        // What is answered is read, or it would be an app that does not read.
        while app.line(within: 0) != nil {}
        sent += app.offer(block) ?? 0
      }
      try Self.expectTyping(client, field)
    }
    #expect(field.text.count == 800)
    #expect(sent > 0)
    server.end()
  }

  @Test("a keyboard that draws and writes faster than an app reads costs the app neither")
  func fasterThanReading() throws {
    let flood = PythonKeyboard.script(
      """
      import threading
      lock, field, count = threading.Lock(), None, 0
      rows = [[{"id": "%d_%d" % (r, c), "label": "a" * 30, "insertText": "x" * 60} for c in range(24)]
              for r in range(8)]
      def flood():
          global count
          while True:
              time.sleep(0.003)
              with lock:
                  if field:
                      count += 1
                      rows[0][0]["label"] = str(count)
                      text = [{"insertText": "y" * 8000}] if count % 4 == 0 else []
                      send(id=count + 1000, method="transaction", params={
                          "documentIdentifier": field[0], "revision": field[1], "edits": text,
                          "layout": {"rows": rows}})
      def on(request):
          global field
          with lock:
              answer(request)
      def other(message):
          global field
          with lock:
              if message.get("method") in ("focus", "change"):
                  field = [message["params"]["documentIdentifier"], message["params"]["revision"]]
              elif message.get("method") == "blur":
                  field = None
              elif field and "revision" in (message.get("result") or {}):
                  field[1] = message["result"]["revision"]
      threading.Thread(target=flood, daemon=True).start()
      serve(on, on_other=other)
      """)
    let server = try RunningServer(keyboards: ["flood": flood])
    let client = try server.client(presents: true)
    let field = try client.open("note")
    try field.becomeFirstResponder()
    // It reads, and takes its time now and then, as one that draws does.
    for _ in 0..<4 {
      usleep(700_000)
      try client.process()
      try field.type("k")
    }
    try client.wait { field.isConfirmed && field.text.count { $0 == "k" } == 4 }
    #expect(field.text.allSatisfy { $0 == "k" || $0 == "y" })
    server.end()
  }

  @Test("an app that stops reading is disconnected")
  func noReading() throws {
    let server = try RunningServer()
    let client = try server.client()
    let field = try client.open("note")
    let app = try RawApp(server.path)
    app.call(2, "openDocument", #""document":"d","traits":{},"text":"""#)
    let request = #"{"jsonrpc":"2.0","id":9,"method":"listKeyboards","params":{"document":"d"}}"#
    let block = Array(String(repeating: request + "\n", count: 100).utf8)
    let limit = RunningProgram.now() + 120
    var rest = block[...]
    while RunningProgram.now() < limit {
      guard let count = app.offer(Array(rest)) else { break }
      rest = rest.dropFirst(count)
      if rest.isEmpty { rest = block[...] }
      if count == 0 { usleep(10_000) }
    }
    #expect(RunningProgram.now() < limit, "it is still connected")
    try Self.expectTyping(client, field)
    server.end()
  }

  @Test("an app that dies while it composes takes its documents along, and nothing else")
  func death() throws {
    let script = PythonKeyboard.script(
      """
      def compose(request):
          text = "ni" * number()
          reply(request, [{"setMarkedText": text, "selectedRange": [len(text), len(text)]}])
      serve(compose)
      """)
    let server = try RunningServer(keyboards: ["compose": script])
    var told: [KeyboardNotification.Name] = []
    let other = try server.client("org.example.other", presents: true)
    other.onNotification = { told.append($0.name) }
    let field = try other.open("note")
    do {
      let client = try server.client(presents: true)
      let dying = try client.open("note")
      try dying.becomeFirstResponder()
      try client.wait { client.presentation?.displayName == "compose" }
      try dying.type("a")
      try client.wait { dying.markedRange != nil }
      try dying.type("bcd")
    }
    try field.becomeFirstResponder()
    #expect(told == [.willShow, .didShow])
    #expect(field.text.isEmpty)
    try other.wait { other.presentation?.displayName == "compose" }
    try field.type("a")
    try other.wait { field.markedRange != nil }
    server.end()
  }

  @Test(
    "a line that is none of the protocol ends the session, with the reason",
    arguments: [
      "hello", "{}", #"{"jsonrpc":"2.0","id":1,"method":"steal"}"#, "\u{FEFF}{}", " ",
      #"{"jsonrpc":"2.0","id":1,"id":2,"method":"resignFirstResponder"}"#,
      #"{"jsonrpc":"2.0","id":77,"result":true}"#,
      String(repeating: "[", count: 40), String(repeating: "x", count: 70_000),
    ])
  func badLines(_ line: String) throws {
    let server = try RunningServer()
    let app = try RawApp(server.path)
    app.send(line)
    let answer = try #require(app.line())
    #expect(answer.contains(#""id":null,"error":{"code":-32600"#), "\(answer)")
    #expect(app.line() == nil && app.isAtEnd)
    let silent = try RawApp(server.path, implementsQuestion: nil)
    silent.send(line)
    _ = silent.line()
    #expect(silent.line() == nil && silent.isAtEnd)
    let client = try server.client()
    try Self.expectTyping(client, try client.open("note"))
    server.end()
  }

  @Test("more apps than there is room for are turned away, and those before them type on")
  func crowd() throws {
    let server = try RunningServer()
    let client = try server.client()
    let field = try client.open("note")
    var crowd: [RawApp] = []
    for _ in 0..<270 { crowd.append(try RawApp(server.path, implementsQuestion: nil)) }
    let last = try #require(crowd.last?.line())
    #expect(last.contains("of them by this program: close some"), "\(last)")
    try Self.expectTyping(client, field)
    crowd = []
    // There is room again.
    try Self.expectTyping(client, field)
    var again: KeyboardClient?
    for _ in 0..<100 where again == nil {
      again = try? server.client()
      usleep(10_000)
    }
    #expect(again != nil)
    server.end()
  }

  @Test("without descriptors nobody new connects, and those who are type on")
  func descriptors() throws {
    let home = try TemporaryHome()
    let shell = Program("/bin/sh", environment: home.environment)
    let program = try shell.start(
      ["-c", "ulimit -n 40; exec \"$0\" serve", Products.keyhost])
    #expect(program.readLine()?.hasPrefix("listening ") ?? false)
    let path = "\(home.path)/run/keyhost/socket"
    let client = try KeyboardClient(path: path, appIdentifier: "org.example.notes")
    let field = try client.open("note")
    var crowd: [RawApp] = []
    for _ in 0..<60 { crowd.append(try RawApp(path, implementsQuestion: nil)) }
    try Self.expectTyping(client, field)
    crowd = []
    // Who comes when there are some again is served.
    let late = try KeyboardClient(path: path, appIdentifier: "org.example.late")
    try Self.expectTyping(late, try late.open("note"))
    program.signal(SIGTERM)
    let result = program.finish()
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.standardError.contains("no app can connect for the moment"), "\(result)")
  }
}
