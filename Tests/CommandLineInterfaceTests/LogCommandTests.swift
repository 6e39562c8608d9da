import Glibc
import TestSupport
import Testing

private let keyboard = "org.example.fixture.keyboard"

/// `keyhost log`: the audit log as a person reads it.
@Suite("The log command")
struct LogCommandTests {
  let home: TemporaryHome
  init() throws { home = try TemporaryHome() }

  private func bundle() throws -> String {
    try FixtureApp(keyboards: [FixtureKeyboard(script: "#!/usr/bin/python3\n")])
      .write(to: home.work)
  }

  private func write(_ lines: [String]) throws {
    try Files.makeDirectory(home.path + "/state/keyhost")
    try Files.write(
      lines.map { $0 + "\n" }.joined(), to: home.path + "/state/keyhost/audit.log", mode: 0o600)
  }

  @Test("each line has the time of what it tells, in the order in which it was")
  func order() throws {
    try write([
      #"{"time":"2026-01-31T12:00:00.000Z","event":"launch","keyboard":"a"}"#,
      #"{"time":"2026-01-31T12:00:03.000Z","event":"freeze","keyboard":"a"}"#,
      #"{"time":"2026-01-31T12:00:04.000Z","event":"violation","keyboard":"a","count":3,"#
        + #""first":"2026-01-31T12:00:01.000Z","last":"2026-01-31T12:00:04.000Z"}"#,
      #"{"time":"2026-01-31T12:00:02.000Z","event":"violation","keyboard":"b"}"#,
      // The clock was set back: what is written last is shown last.
      #"{"time":"2026-01-31T09:00:00.000Z","event":"exit","keyboard":"a"}"#,
    ])
    #expect(
      try home.keyhost("log").lines == [
        "2026-01-31T12:00:00.000Z  launch         a",
        "2026-01-31T12:00:01.000Z  violation      a                               "
          + "(3 times until 2026-01-31T12:00:04.000Z)",
        "2026-01-31T12:00:02.000Z  violation      b",
        "2026-01-31T12:00:03.000Z  freeze         a",
        "2026-01-31T09:00:00.000Z  exit           a",
      ])
    // What began before and went on since then belongs to it.
    #expect(try home.keyhost("log", "--since", "2026-01-31T12:00:03.500Z").lines.count == 1)
    let json = try home.keyhost("log", "--json")
    let file = try Files.text(home.path + "/state/keyhost/audit.log")
    #expect(json.standardOutput == file)
  }

  @Test("docs/json-output.md names each member that a line can have, and each event")
  func members() throws {
    let text = try SourceTree.contents(of: "docs/json-output.md")
    let section = try #require(text.firstRange(of: "\n## `log`\n")).upperBound
    let sources = SourceTree.root + "/Sources/KeyboardHost"
    var names: Set<String> = []
    for file in try Files.tree(sources) where file.hasSuffix(".swift") {
      for part in try Files.text("\(sources)/\(file)").split(separator: "AuditField(\"").dropFirst()
      {
        names.insert(String(part.prefix { $0 != "\"" }))
      }
    }
    #expect(names.count > 25)
    for name in names { #expect(text[section...].contains("`\(name)`"), "\(name) is not named") }
    for event in try SourceTree.contents(of: "Sources/KeyboardHost/Log/AuditKind.swift")
      .split(separator: "\n").filter({ $0.hasPrefix("  case ") }).map({ $0.dropFirst(7) })
    {
      #expect(text[section...].contains("`\(event)`"), "\(event) is not named")
    }
  }

  @Test("of the layers of a launch the text names those that are not in force")
  func layers() throws {
    try write([
      #"{"time":"2026-01-31T12:00:00.000Z","event":"launch","keyboard":"a","#
        + #""layers":{"session":"enforced","identity":"not requested","seccomp":"enforced"}}"#,
      #"{"time":"2026-01-31T12:00:00.000Z","event":"launch","keyboard":"a","#
        + #""layers":{"session":"enforced","landlock":"partly (no IOCTL_DEV)"}}"#,
    ])
    let lines = try home.keyhost("log").lines
    #expect(lines.first?.hasSuffix("  layers=enforced") == true)
    #expect(
      lines.last?.hasSuffix("  layers=landlock:\"partly (no IOCTL_DEV)\",others:enforced") == true)
  }

  @Test(
    "a name that an app has chosen is one value, whatever is in it, and a plain one has no quotes")
  func forgedFields() throws {
    let names = [
      #"org.x document=1/pw verdict=refused"#, #"a\" b=\"c"#, #"a,b"#, #"a\\nb"#, "a\u{3000}b=c",
      "é-1:2", "",
      "\u{202E}x",
    ]
    try write(
      names.map {
        #"{"time":"2026-01-31T12:00:00.000Z","event":"decision","keyboard":"a b=1","#
          + #""app":"\#($0)","document":"\#($0)","reasons":["\#($0)","x"]}"#
      })
    let shown = [
      #""org.x document=1/pw verdict=refused""#, #""a\" b=\"c""#, #""a,b""#, #""a\\nb""#,
      "\"a\u{3000}b=c\"", "é-1:2", "\"\"", #""\u{202e}x""#,
    ]
    let start = "2026-01-31T12:00:00.000Z  decision       " + #""a b=1""#
    #expect(
      try home.keyhost("log").lines
        == shown.map {
          start + String(repeating: " ", count: 25) + "app=\($0) document=\($0) reasons=\($0),x"
        })
  }

  @Test("a keyboard that nobody knows is said to be so; one that is only installed is not")
  func unknownKeyboard() throws {
    _ = try home.keyhost("apps", "install", try bundle())
    let unknown = try home.keyhost("log", "--keyboard", "TYPO")
    #expect(unknown.exitCode == 0 && unknown.standardOutput == "", "\(unknown)")
    #expect(unknown.standardError.contains("no line about a keyboard `TYPO`"), "\(unknown)")
    for known in [keyboard, "system"] {
      #expect(try home.keyhost("log", "--keyboard", known).standardError == "")
    }
    try write([#"{"time":"2026-01-31T12:00:00.000Z","event":"exit","keyboard":"gone"}"#])
    let filtered = try home.keyhost("log", "--keyboard", "gone", "--event", "launch")
    #expect(filtered.standardOutput == "" && filtered.standardError == "", "\(filtered)")
  }

  @Test("a damaged line of the log is named, and the others are shown")
  func damagedLog() throws {
    _ = try home.keyhost("apps", "install", try bundle())
    let path = home.path + "/state/keyhost/audit.log"
    try Files.write("\u{1b}[2Jgarbage\n" + (try Files.text(path)), to: path, mode: 0o600)
    let result = try home.keyhost("log")
    #expect(result.exitCode == 1)
    #expect(result.lines.count == 1)
    #expect(result.standardError == "keyhost: \(path):1: this is not an audit line\n")
  }

  @Test("the log is filtered by time, keyboard and event")
  func logFilters() throws {
    _ = try home.keyhost("apps", "install", try bundle())
    _ = try home.keyhost("keyboards", "add", keyboard)
    #expect(try home.keyhost("log").lines.count == 2)
    #expect(try home.keyhost("log", "--keyboard", keyboard).lines.count == 1)
    #expect(try home.keyhost("log", "--event", "install").lines.count == 1)
    #expect(try home.keyhost("log", "--since", "1h").lines.count == 2)
    #expect(try home.keyhost("log", "--since", "2999-01-01").lines.count == 0)
    #expect(try TemporaryHome().keyhost("log").exitCode == 0)
  }

  @Test("log --follow shows lines as they come")
  func follow() throws {
    let following = try home.keyhost.start(["log", "--follow", "--json"])
    _ = try home.keyhost("keyboards", "move", "system", "1")
    #expect(following.readLine()?.contains("\"change\":\"move\"") == true)
    _ = try home.keyhost("apps", "install", try bundle())
    #expect(following.readLine()?.contains("\"event\":\"install\"") == true)
    following.signal(SIGTERM)
    #expect(following.finish().end == .signaled(SIGTERM))
  }
}
