import Glibc
import SandboxSelftest
import TestSupport
import Testing

@Suite("Consent opens nothing but what it is for", .serialized)
struct ConsentTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.consent) }

  /// Types `y` where it may make a socket, and `n` where not.
  private static let asking = PythonKeyboard.script(
    """
    import _socket
    def ask(request):
        try:
            _socket.socket(2, 1, 0).close()
            reply(request, [{"insertText": "y"}])
        except OSError:
            reply(request, [{"insertText": "n"}])
    serve(ask)
    """)

  /// - Returns: `y` or `n` of the keyboard; on a busy machine the system keyboard may come before it.
  private static func type(_ home: TemporaryHome, _ keyboard: String) throws -> String {
    for _ in 0..<20 {
      let typed = try home.keyhost(
        "type", "--keyboard", TemporaryHome.identifier(keyboard), input: "a"
      ).standardOutput
      if typed != "a\n" { return typed }
    }
    return "never"
  }

  @Test("a grant is one keyboard's, and not its neighbour's in the same app")
  func neighbours() throws {
    let home = try TemporaryHome(
      keyboards: ["one": Self.asking, "two": Self.asking], requestsOpenAccess: true)
    #expect(try Self.type(home, "one") == "n\n")
    try home.expectSuccess("grant", TemporaryHome.identifier("one"), "open-access")
    #expect(try Self.type(home, "one") == "y\n")
    #expect(try Self.type(home, "two") == "n\n")
    try home.expectSuccess("revoke", TemporaryHome.identifier("one"), "open-access")
    #expect(try Self.type(home, "one") == "n\n")
  }

  @Test("revoking takes hold at once in a keyboard that runs")
  func revoking() throws {
    let home = try TemporaryHome(keyboards: ["one": Self.asking], requestsOpenAccess: true)
    let identifier = TemporaryHome.identifier("one")
    try home.expectSuccess("grant", identifier, "open-access")
    let running = try home.keyhost.start(["type", "--events", "--json"])
    func press() -> String? {
      running.send(line: #"{"type":"a"}"#)
      while let line = running.readLine(within: 60) {
        guard line.contains("\"handled\"") else { continue }
        return ["y", "n", "a"].first { line.contains("{\"insertText\":\"\($0)\"}") }
      }
      return nil
    }
    running.send(line: #"{"open":"a"}"#)
    running.send(line: #"{"focus":"a"}"#)
    var first = press()
    for _ in 0..<100 where first == "a" {
      usleep(50_000)
      first = press()
    }
    #expect(first == "y")
    try home.expectSuccess("revoke", identifier, "open-access")
    // The system keyboard may type what comes between the end of one process and the start of the
    // next; the one with the grant types no more.
    var next = press()
    for _ in 0..<100 where next == "a" {
      usleep(50_000)
      next = press()
    }
    #expect(next == "n")
    running.closeInput()
    _ = running.finish()
  }

  @Test("an update that asks for open access does not have it until the user grants it")
  func update() throws {
    let home = try TemporaryHome(keyboards: ["one": Self.asking])
    let identifier = TemporaryHome.identifier("one")
    #expect(try home.keyhost("grant", identifier, "open-access").exitCode == 1)
    let folder = "\(home.work)/new"
    try Files.makeDirectory(folder)
    let app = try FixtureApp(keyboards: [
      FixtureKeyboard(
        identifier: identifier, name: "one", script: Self.asking, requestsOpenAccess: true)
    ]).write(to: folder)
    let installed = try home.expectSuccess("apps", "install", app)
    #expect(
      (installed.standardOutput + installed.standardError).contains("open access"), "\(installed)")
    // It is used no more, by nobody's choice but the user's.
    #expect(installed.standardOutput.contains("was taken out of the list"), "\(installed)")
    #expect(try home.keyhost("type", input: "a").standardOutput == "a\n")
    #expect(try home.keyhost("type", "--keyboard", identifier, input: "a").exitCode == 1)
    #expect(
      try home.keyhost("log", "--event", "keyboards").lines.last?
        .contains("change=remove position=1 by=update") == true)
    try home.expectSuccess("keyboards", "add", identifier, "--position", "1")
    #expect(try Self.type(home, "one") == "n\n")
    try home.expectSuccess("grant", identifier, "open-access")
    #expect(try Self.type(home, "one") == "y\n")
    // And one that does not ask any more loses it, also for the next that asks again.
    let less = try FixtureApp(keyboards: [
      FixtureKeyboard(identifier: identifier, name: "one", script: Self.asking)
    ]).write(
      to: {
        try Files.makeDirectory($0)
        return $0
      }("\(home.work)/less"))
    try home.expectSuccess("apps", "install", less)
    try home.expectSuccess("apps", "install", app)
    try home.expectSuccess("keyboards", "add", identifier)
    #expect(try Self.type(home, "one") == "n\n")
  }

  @Test("no list of addresses is not a list of all, and a revoked list does not come back")
  func lists() throws {
    let home = try TemporaryHome(keyboards: ["one": Self.asking], requestsOpenAccess: true)
    let identifier = TemporaryHome.identifier("one")
    func hosts() throws -> Bool {
      try home.keyhost("keyboards", "list", "--json").standardOutput.contains("192.168.7.7")
    }
    for wide in ["0.0.0.0/0", "*", "", "192.168.7.0:80/24", "192.168.7.7", "192.168.7.7:*", ":80"] {
      let refused = try home.keyhost("grant", identifier, "open-access", "--allow-host", wide)
      #expect(refused.exitCode == 1 || refused.exitCode == 2, "\(wide): \(refused)")
      #expect(try Self.type(home, "one") == "n\n", "\(wide)")
    }
    try home.expectSuccess("grant", identifier, "open-access", "--allow-host", "192.168.7.7:80")
    #expect(try hosts())
    try home.expectSuccess("revoke", identifier, "open-access")
    #expect(try !hosts())
    try home.expectSuccess("grant", identifier, "open-access")
    #expect(try !hosts())
  }
}
