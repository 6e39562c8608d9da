import Glibc
import TestSupport
import Testing

/// What is typed into a secure field reaches no keyboard, no file of one and no log, however the
/// field came to be secure and whatever the keyboard was doing.
@Suite("Nothing of a secure field reaches a keyboard", .serialized)
struct SecureFieldsTests {
  /// Keeps all that it is told, begins a composition with each key, and counts the time in a thread.
  private static let hoarding = PythonKeyboard.script(
    #"""
    import threading
    hoard = open(os.environ["KEYHOST_CONTAINER"] + "/hoard", "a", buffering=1)
    clock = open(os.environ["KEYHOST_CONTAINER"] + "/clock", "ab", buffering=0)
    def count():
        while True:
            clock.write(b"x")
            time.sleep(0.005)
    threading.Thread(target=count, daemon=True).start()
    def keep(message):
        hoard.write(json.dumps(message) + "\n")
    def compose(request):
        keep(request)
        text = typed(request)
        reply(request, [{"setMarkedText": text.upper(), "selectedRange": [1, 1]}])
    serve(compose, on_other=keep)
    """#)

  private static let secret = "7319046258"

  /// A conversation that ends with the program.
  private final class Session {
    let home: TemporaryHome
    let running: RunningProgram

    init(_ script: String) throws {
      home = try TemporaryHome(keyboards: ["one": script])
      running = try home.keyhost.start(["type", "--events", "--json", "--show-output"])
    }

    /// Feeds a line, and waits until `count` inputs have been handled.
    func feed(_ line: String, handled count: Int = 0) throws {
      running.send(line: line)
      for _ in 0..<count {
        while true {
          let line = try #require(running.readLine(within: 60), "\(running.finish())")
          if line.contains("\"event\":\"handled\"") { break }
        }
      }
    }

    func file(_ name: String) throws -> String {
      try Files.text("\(home.container("one"))/\(name)")
    }

    func end() throws -> ProgramResult {
      running.closeInput()
      return running.finish()
    }
  }

  private static func expectSecret(_ session: Session, _ result: ProgramResult) throws {
    let hoard = try session.file("hoard")
    #expect(hoard.contains("focus"), "it was told of other fields")
    let log = try session.home.keyhost("log", "--json").standardOutput
    for length in [6, secret.count] {
      let part = secret.prefix(length)
      #expect(!hoard.contains(part) && !log.contains(part), "\(hoard)\n\(log)")
    }
    for digit in secret { #expect(!hoard.contains("key \(digit)"), "\(digit) in \(hoard)") }
    #expect(!result.standardError.contains(secret.prefix(6)))
  }

  @Test("a field that turns secure in the middle of a composition")
  func midComposition() throws {
    let session = try Session(Self.hoarding)
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"focus":"a"}"#)
    try session.feed(#"{"type":"q"}"#, handled: 1)
    try session.feed(#"{"traits":"a","field":{"isSecureTextEntry":true}}"#)
    try session.feed("{\"type\":\"\(Self.secret)\"}", handled: Self.secret.count)
    // The eye: shown, it stays secure.
    try session.feed(#"{"traits":"a","field":{"isSecureTextEntry":false}}"#)
    try session.feed("{\"type\":\"\(Self.secret)\"}", handled: Self.secret.count)
    try session.feed(#"{"open":"b"}"#)
    try session.feed(#"{"focus":"b"}"#)
    try session.feed(#"{"type":"w"}"#, handled: 1)
    let result = try session.end()
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.standardOutput.contains("Q\(Self.secret)\(Self.secret)"), "\(result)")
    try Self.expectSecret(session, result)
  }

  @Test("while a secure field has the focus a keyboard cannot even tell the time")
  func timing() throws {
    let session = try Session(Self.hoarding)
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"open":"b","field":{"isSecureTextEntry":true}}"#)
    try session.feed(#"{"focus":"a"}"#)
    try session.feed(#"{"type":"q"}"#, handled: 1)
    let before = try session.file("clock").utf8.count
    usleep(200_000)
    #expect(try session.file("clock").utf8.count > before, "it counts while it runs")
    try session.feed(#"{"focus":"b"}"#)
    try session.feed(#"{"type":"7"}"#, handled: 1)
    let frozen = try session.file("clock").utf8.count
    for digit in Self.secret.dropFirst() {
      usleep(50_000)
      try session.feed("{\"type\":\"\(digit)\"}", handled: 1)
    }
    #expect(try session.file("clock").utf8.count == frozen)
    try session.feed(#"{"focus":"a"}"#)
    try session.feed(#"{"type":"w"}"#, handled: 1)
    #expect(try session.file("clock").utf8.count > frozen, "and goes on after")
    let result = try session.end()
    try Self.expectSecret(session, result)
  }

  @Test("an edit that comes late, and was meant for the field before, changes no other field")
  func lateEdit() throws {
    // Edits of its own, all the time, for the document that it was told of last.
    let session = try Session(
      PythonKeyboard.script(
        #"""
        import threading
        hoard = open(os.environ["KEYHOST_CONTAINER"] + "/hoard", "a", buffering=1)
        now = {}
        def push():
            number = 1_000
            while True:
                time.sleep(0.002)
                if now:
                    number += 1
                    send(id=number, method="transaction", params={
                        "documentIdentifier": now["document"], "revision": now["revision"],
                        "edits": [{"insertText": "!"}]})
        def note(message):
            hoard.write(json.dumps(message) + "\n")
            parameters = message.get("params", {})
            if "documentIdentifier" in parameters:
                now.update(document=parameters["documentIdentifier"], revision=parameters["revision"])
        def noting(request):
            note(request)
            answer(request)
        threading.Thread(target=push, daemon=True).start()
        serve(noting, on_other=note)
        """#))
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"open":"b","field":{"isSecureTextEntry":true}}"#)
    for _ in 0..<5 {
      try session.feed(#"{"focus":"a"}"#)
      try session.feed(#"{"type":"q"}"#, handled: 1)
      try session.feed(#"{"focus":"b"}"#)
      try session.feed("{\"type\":\"\(Self.secret)\"}", handled: Self.secret.count)
    }
    let result = try session.end()
    let texts = result.lines.filter { $0.contains("\"event\":\"text\"") }
    let whole = String(repeating: Self.secret, count: 5)
    #expect(texts.contains { $0.contains("\"b\"") && $0.contains("\"\(whole)\"") }, "\(texts)")
    try Self.expectSecret(session, result)
  }
}
