import StrictJSON
import TestSupport
import Testing

/// `keyhost audit plugins` after keyboards have run.
@Suite("The report on keyboards")
struct AuditPluginsTests {
  private static let identifier = MisbehaviourTests.identifier

  private static func json(
    _ home: TemporaryHome, _ arguments: String..., exitCode: Int32 = 0
  ) throws -> JSONValue {
    let result = try home.keyhost.run(["audit", "plugins", "--json"] + arguments)
    #expect(result.exitCode == exitCode, "\(result)")
    return try JSONDocument(parsing: result.standardOutput).root
  }

  private static func events(_ keyboard: JSONValue?, _ kind: String) -> [JSONValue] {
    keyboard?["activity"]?[kind]?.elements ?? []
  }

  /// A home in which a keyboard has tried a socket, has done something else, and has typed.
  private static func home(_ more: String = "", openAccess: Bool = false) throws -> TemporaryHome {
    let home = try MisbehaviourTests.home(
      PythonKeyboard.script(
        """
        import socket
        def attempt(request):
            for family in (socket.AF_UNIX, socket.AF_UNIX):
                try: socket.socket(family)
                except OSError: pass
            \(more)
            answer(request)
        serve(attempt)
        """), requestsOpenAccess: true)
    if openAccess {
      let granted = try home.keyhost("grant", identifier, "open-access")
      try #require(granted.exitCode == 0, "\(granted)")
    }
    let typed = try home.keyhost("type", "--keyboard", identifier, input: "a")
    try #require(typed.exitCode == 0, "\(typed)")
    return home
  }

  @Test("with nothing installed and no log it proves the policies all the same")
  func empty() throws {
    let home = try TemporaryHome()
    let root = try Self.json(home)
    #expect(root["keyboards"]?.elements?.isEmpty == true)
    #expect(root["findings"]?.elements?.isEmpty == true)
    #expect(root["log"]?["lines"]?.int64 == 0)
    let policies = root["policies"]?.elements ?? []
    #expect(policies.compactMap { $0["grants"]?.string } == ["base", "openAccess"])
    for policy in policies {
      #expect(policy["claims"]?.elements?.allSatisfy { $0["proven"]?.boolean == true } == true)
    }
    let text = try home.keyhost("audit", "plugins")
    #expect(text.standardOutput.contains("No keyboard is installed, and none is in the log."))
    #expect(try Files.tree(home.path) == ["cache", "config", "data", "run", "state", "work"])
  }

  @Test("what a keyboard tried is counted, and its program is the one that is proven")
  func violations() throws {
    let home = try Self.home()
    let root = try Self.json(home)
    let keyboard = root["keyboards"]?.elements?.first
    #expect(keyboard?["identifier"]?.string == Self.identifier)
    #expect(keyboard?["grants"]?.string == "base")
    let violations = Self.events(keyboard, "violations")
    #expect(violations.count == 1)
    #expect(violations.first?["systemCall"]?.string == "socket")
    #expect(violations.first?["outcome"]?.string == "refused")
    #expect(violations.first?["count"]?.int64 == 2)
    let launches = Self.events(keyboard, "launches")
    #expect(launches.count == 1)
    #expect(
      launches.first?["policy"]?.string == root["policies"]?.elements?.first?["digest"]?.string)
    let text = try home.keyhost("audit", "plugins", Self.identifier)
    #expect(text.exitCode == 0, "\(text)")
    #expect(text.standardOutput.contains("Network: none. No socket of any kind can be made."))
    #expect(text.standardOutput.contains("it could, with open access"))
    #expect(text.standardOutput.contains("2  socket  socket family AF_UNIX"), "\(text)")
    #expect(text.standardOutput.contains("(proven here)"))
    expectPlainText(text.standardOutput)
  }

  @Test("with open access, addresses that the user did not open are told as refused")
  func refusals() throws {
    let home = try Self.home(
      "try: socket.create_connection((\"127.0.0.1\", 631))\n    except OSError: pass",
      openAccess: true)
    let keyboard = try Self.json(home)["keyboards"]?.elements?.first
    #expect(keyboard?["grants"]?.string == "openAccess")
    #expect(keyboard?["hasOpenAccess"]?.boolean == true)
    let refusals = Self.events(keyboard, "refusals")
    #expect(
      refusals.contains {
        $0["what"]?.string == "network" && $0["address"]?.string == "127.0.0.1"
          && $0["port"]?.string == "631"
      }, "\(refusals)")
    #expect(Self.events(keyboard, "consent").contains { $0["change"]?.string == "grant" })
  }

  @Test("damaged lines are told with their places, the rest is used, and the exit code is 1")
  func damaged() throws {
    let home = try Self.home()
    let path = "\(home.path)/state/keyhost/audit.log"
    let whole = try Files.text(path)
    let count = whole.split(separator: "\n").count
    try Files.write(whole + "junk\u{1b}[2J\n{}\n", to: path, mode: 0o600)
    let root = try Self.json(home, exitCode: 1)
    #expect(
      root["log"]?["damaged"]?.elements?.compactMap { $0["line"]?.int64 }
        == [Int64(count) + 1, Int64(count) + 2])
    #expect(Self.events(root["keyboards"]?.elements?.first, "launches").count == 1)
    let text = try home.keyhost("audit", "plugins")
    #expect(text.exitCode == 1)
    #expect(text.standardOutput.contains("audit.log:\(count + 1): this is not an audit line"))
    expectPlainText(text.standardOutput)
    let page = try home.keyhost("audit", "plugins", "--html", "\(home.work)/page.html")
    #expect(page.exitCode == 1, "\(page)")
    #expect(page.standardError.contains("audit.log:\(count + 1): this is not an audit line"))
    #expect(try Files.text("\(home.work)/page.html").contains("this is not an audit line"))
  }

  @Test(
    "a keyboard that is gone is told of by what the log knows; one that nobody knows is refused")
  func removed() throws {
    let home = try Self.home()
    #expect(try home.keyhost("apps", "remove", "org.example.fixture").exitCode == 0)
    let keyboard = try Self.json(home, Self.identifier)["keyboards"]?.elements?.first
    #expect(keyboard?["isInstalled"]?.boolean == false)
    #expect(Self.events(keyboard, "violations").count == 1)
    let unknown = try home.keyhost("audit", "plugins", "org.example.nowhere")
    #expect(unknown.exitCode == 1)
    #expect(unknown.standardError.contains("org.example.nowhere"))
    #expect(unknown.standardOutput == "")
  }

  @Test("the page is written once, replaced on demand, and never through a link")
  func page() throws {
    let home = try TemporaryHome()
    let name = "<b>\"'&\u{5d0}x"
    var fixture = FixtureKeyboard(script: PythonKeyboard.plain)
    fixture.propertyList = fixture.propertyList.setting("CFBundleDisplayName", to: .string(name))
    let installed = try home.keyhost(
      "apps", "install", try FixtureApp(keyboards: [fixture]).write(to: home.work))
    try #require(installed.exitCode == 0, "\(installed)")
    let path = "\(home.work)/page.html"
    let first = try home.keyhost("audit", "plugins", "--html", path)
    #expect(first.exitCode == 0, "\(first)")
    #expect(first.standardOutput == "The report is in \(path).\n")
    let html = try Files.text(path)
    #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(html.contains("<bdi>&lt;b&gt;&quot;&#39;&amp;\u{5d0}x</bdi>"))
    #expect(!html.contains("<b>"))

    #expect(try home.keyhost("audit", "plugins", "--html", path).exitCode == 1)
    #expect(try home.keyhost("audit", "plugins", "--html", path, "--replace").exitCode == 0)
    let link = "\(home.work)/link"
    #expect(try Program("/bin/ln").run("-s", path, link).exitCode == 0)
    let refused = try home.keyhost("audit", "plugins", "--html", link, "--replace")
    #expect(refused.exitCode == 1)
    #expect(refused.standardError.contains("symbolic link"), "\(refused)")
    let misused = try home.keyhost("audit", "plugins", "--replace")
    #expect(misused.exitCode == 2, "\(misused)")
  }
}
