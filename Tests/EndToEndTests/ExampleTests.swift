import StrictJSON
import TestSupport
import Testing

/// The example keyboards, as bundles, through the sandbox.
@Suite("Examples")
struct ExampleTests {
  static let habra = "org.keyhost.examples.habra.keyboard"
  static let python = "org.keyhost.examples.python.keyboard"
  static let intruder = "org.keyhost.examples.intruder.keyboard"

  /// A home in which one example is installed and enabled.
  static func home(_ bundle: String, _ keyboard: String) throws -> TemporaryHome {
    let home = try TemporaryHome()
    let installed = try home.keyhost("apps", "install", "\(Products.bundles)/\(bundle).app")
    try #require(installed.exitCode == 0, "\(installed)")
    let added = try home.keyhost("keyboards", "add", keyboard)
    try #require(added.exitCode == 0, "\(added)")
    return home
  }

  // MARK: Habra

  struct Habra: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: [String]
    var text: String
  }

  static let habraSteps: [Habra] = [
    Habra(
      testDescription: "a tag key types both tags and leaves the cursor between them",
      script: [#"{"type":"nice "}"#, #"{"tap":"tag.b"}"#, #"{"type":"work"}"#],
      text: "nice <b>work</b>"),
    Habra(
      testDescription: "every tag key types its own tag",
      script: ["b", "i", "s", "code", "a", "quote", "li"].flatMap {
        ["{\"tap\":\"tag.\($0)\"}", #"{"swipe":"right","count":20}"#]
      },
      text: "<b></b><i></i><s></s><code></code><a href=\"\"></a>"
        + "<blockquote></blockquote><li></li>"),
    Habra(
      testDescription: "two tags come from the settings bundle",
      script: [
        #"{"tap":"tag.firstTag"}"#, #"{"swipe":"right","count":9}"#, #"{"tap":"tag.secondTag"}"#,
      ],
      text: "<h2></h2><spoiler></spoiler>"),
    Habra(
      testDescription: "swipes move the cursor",
      script: [
        #"{"type":"abcd"}"#, #"{"swipe":"left","count":2}"#, #"{"type":"x"}"#,
        #"{"swipe":"right"}"#, #"{"type":"y"}"#,
      ],
      text: "abxcyd"),
    Habra(
      testDescription: "a tap on delete removes a character, a long press all",
      script: [
        #"{"type":"abc"}"#, #"{"tap":"delete"}"#, #"{"type":"d"}"#, #"{"swipe":"left"}"#,
        #"{"longPress":"delete"}"#, #"{"type":"z"}"#,
      ],
      text: "z"),
    Habra(
      testDescription: "a selection goes between the tags",
      script: [
        #"{"type":"one two"}"#, #"{"select":"comment","range":[4,7]}"#, #"{"tap":"tag.i"}"#,
      ],
      text: "one <i>two</i>"),
    Habra(
      testDescription: "characters that it has no key for are typed from the hardware",
      script: [#"{"type":"Ünïcode 👩‍👩‍👧!"}"#], text: "Ünïcode 👩‍👩‍👧!"),
  ]

  @Test("Habra", arguments: habraSteps)
  func habra(_ steps: Habra) throws {
    let home = try Self.home("Habra", Self.habra)
    let run = try TypedRun.events(
      home, [#"{"open":"comment"}"#, #"{"focus":"comment"}"#] + steps.script)
    #expect(run.result.exitCode == 0, "\(run.result)")
    #expect(run.texts == ["comment": steps.text], "\(run.result)")
    #expect(run.handlers(of: "comment") == [Self.habra], "\(run.result)")
  }

  @Test("Habra's tags are the user's, and change while it runs")
  func habraSettings() throws {
    let home = try Self.home("Habra", Self.habra)
    try home.expectSuccess("settings", "org.keyhost.examples.habra", "firstTag", "kbd")
    let run = try home.keyhost.start(["type", "--events", "--json"])
    run.send(line: #"{"open":"a"}"#)
    run.send(line: #"{"focus":"a"}"#)
    /// What the key types now.
    func typed() -> String? {
      run.send(line: #"{"tap":"tag.firstTag"}"#)
      while let line = run.readLine() {
        guard line.contains(#""event":"handled""#) else { continue }
        return try? JSONDocument(parsing: Array(line.utf8)).root["transaction"]?["edits"]?
          .elements?.first?["insertText"]?.string
      }
      return nil
    }
    #expect(typed() == "<kbd></kbd>")
    let before = try home.keyhost("log", "--event", "launch").lines.count
    try home.expectSuccess("settings", Self.habra, "firstTag", "sup")
    let limit = RunningProgram.now() + 30
    var last = typed()
    while last == "<kbd></kbd>", RunningProgram.now() < limit { last = typed() }
    #expect(last == "<sup></sup>")
    #expect(try home.keyhost("log", "--event", "launch").lines.count == before)
    run.closeInput()
    #expect(run.finish().exitCode == 0)
  }

  @Test("Habra's dismiss and next-keyboard keys work, and the next keyboard is the system's")
  func habraActions() throws {
    let home = try Self.home("Habra", Self.habra)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"type":"x"}"#, #"{"tap":"dismiss"}"#,
        #"{"tap":"next"}"#, #"{"type":"y"}"#,
      ])
    #expect(run.texts == ["a": "xy"], "\(run.result)")
    #expect(run.handlers(of: "a") == [Self.habra, "system"], "\(run.result)")
    #expect(run.result.standardOutput.contains("\"dismissed\""), "\(run.result)")
  }

  @Test("a long text is deleted whole by one long press")
  func habraDeletesAll() throws {
    let home = try Self.home("Habra", Self.habra)
    let text = String(repeating: "word 👩‍👩‍👧 ", count: 900)
    let run = try TypedRun.events(
      home,
      [
        "{\"open\":\"a\",\"text\":\"\(text)\"}", #"{"focus":"a"}"#, #"{"longPress":"delete"}"#,
        #"{"wait":1500}"#, #"{"type":"z"}"#,
      ])
    #expect(run.texts == ["a": "z"], "\(run.result.standardError)")
  }

  // MARK: Python

  @Test("the Python keyboard types, and offers words that it has seen")
  func python() throws {
    let home = try Self.home("PythonType", Self.python)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"type":"keyboard, ke"}"#,
        #"{"suggestion":"keyboard","index":0}"#, #"{"type":"€"}"#,
      ])
    #expect(run.result.exitCode == 0, "\(run.result)")
    #expect(run.texts == ["a": "keyboard, keyboard €"], "\(run.result)")
    #expect(run.result.standardOutput.contains(#""suggestions":["keyboard"]"#), "\(run.result)")
  }

  @Test("the Python keyboard has the currency that the user set, and no words if told so")
  func pythonSettings() throws {
    let home = try Self.home("PythonType", Self.python)
    try home.expectSuccess("settings", Self.python, "currency", "Pound")
    try home.expectSuccess("settings", Self.python, "offersWords", "off")
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"type":"keyboard, ke"}"#, #"{"tap":"£"}"#,
      ])
    #expect(run.texts == ["a": "keyboard, ke£"], "\(run.result)")
    #expect(!run.result.standardOutput.contains(#""suggestions":["keyboard"]"#), "\(run.result)")
  }

  // MARK: Intruder

  @Test("the intruder types, and what it tried is in the log from the kernel's own words")
  func intruder() throws {
    let home = try Self.home("Intruder", Self.intruder)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"type":"all "}"#, #"{"tap":"network"}"#,
        #"{"tap":"connect"}"#, #"{"tap":"microphone"}"#, #"{"tap":"shell"}"#, #"{"tap":"home"}"#,
        #"{"type":"is well"}"#,
      ])
    #expect(run.texts == ["a": "all is well"], "\(run.result)")
    #expect(run.handlers(of: "a") == [Self.intruder], "\(run.result)")
    let log = try home.keyhost(
      "log", "--json", "--keyboard", Self.intruder, "--event", "violation")
    #expect(log.standardOutput.contains("\"socket\""), "\(log)")
    #expect(log.standardOutput.contains("AF_INET"), "\(log)")
    #expect(log.standardOutput.contains("\"execve\""), "\(log)")
    // As Examples/README.md says of the two others.
    let device = log.lines.filter { $0.contains("openat of /dev/") }
    #expect(!device.isEmpty && device.allSatisfy { $0.contains("refused by file rules") }, "\(log)")
    #expect(!log.standardOutput.contains("/home") && !log.standardOutput.contains("/root"))
    let told = try home.keyhost("type", "--show-output", input: "a").standardError
    for attempt in ["open a sound device", "read the home folder"] {
      #expect(told.contains("\(attempt): refused with "), "\(told)")
    }
  }

  @Test("the same intruder succeeds outside the sandbox, so that its refusal means something")
  func intruderOutside() throws {
    let script =
      "\(Products.bundles)/Intruder.app/PlugIns/IntruderKeyboard.appex/IntruderKeyboard"
    // Its shell replaces it: what it says before is enough.
    let result = try Program("/bin/bash").run("-c", "exec '\(script)' 3>/dev/null")
    #expect(result.standardError.contains("a socket was opened"), "\(result)")
    #expect(result.exitCode == 0, "\(result)")
  }

  @Test(
    "Habra works from the debug build's launcher as well",
    .enabled(if: Products.debugPrefix != nil, "needs an installed debug build: make test"))
  func debugLauncher() throws {
    let prefix = try #require(Products.debugPrefix)
    let home = try Self.home("Habra", Self.habra)
    let keyhost = Program("\(prefix)/bin/keyhost", environment: home.environment)
    let typed = try keyhost.run("type", input: "debug")
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.standardOutput == "debug\n", "\(typed)")
    #expect(typed.standardError.contains("Habra"), "\(typed)")
  }
}
