import Glibc
import StrictJSON
import TestSupport
import Testing

private let keyboard = "org.example.fixture.keyboard"

@Suite("The commands of keyhost")
struct KeyhostCommandTests {
  let home: TemporaryHome
  init() throws { home = try TemporaryHome() }

  private func bundle(requestsOpenAccess: Bool = false) throws -> String {
    try FixtureApp(
      keyboards: [
        FixtureKeyboard(script: "#!/usr/bin/python3\n", requestsOpenAccess: requestsOpenAccess)
      ]
    ).write(to: home.work)
  }

  private func json(_ arguments: String...) throws -> JSONValue {
    let result = try home.keyhost.run(arguments + ["--json"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.standardError == "")
    #expect(result.lines.count == 1)
    return try JSONDocument(parsing: result.standardOutput).root
  }
  private func members(_ value: JSONValue?) -> [String] { value?.members?.map(\.key) ?? [] }

  @Test("from a bundle to an enabled keyboard with open access, and back to nothing")
  func story() throws {
    let app = try bundle(requestsOpenAccess: true)
    #expect(
      try home.keyhost("apps", "install", app).standardOutput == """
        Installed Fixture (org.example.fixture) version 1.0.
        To use it: keyhost keyboards add org.example.fixture.keyboard

        """)
    #expect(
      try home.keyhost("apps", "list").standardOutput == """
        org.example.fixture             1.0  Fixture
          org.example.fixture.keyboard  1.0  FixtureKeyboard

        """)
    #expect(
      try home.keyhost("keyboards", "list").standardOutput == """
        1  system                        System keyboard
        -  org.example.fixture.keyboard  FixtureKeyboard  asks for open access

        """)
    #expect(
      try home.keyhost("keyboards", "add", keyboard, "--position=1").standardOutput == """
        1  org.example.fixture.keyboard  FixtureKeyboard  asks for open access
        2  system                        System keyboard

        """)
    let refused = try home.keyhost(
      "grant", keyboard, "open-access", "--allow-host=127.0.0.1:80")
    #expect(refused.exitCode == 1)
    #expect(
      refused.standardError.contains("cannot be opened to a keyboard: an address of this machine"))
    #expect(
      try home.keyhost("grant", keyboard, "open-access").standardOutput
        == "\(keyboard) has open access. Its private container was emptied.\n")
    #expect(
      try home.keyhost(
        "grant", keyboard, "open-access", "--allow-host=192.168.1.10:8080",
        "--allow-host", "[fd00::1]:443"
      ).standardOutput == """
        \(keyboard) has open access. Its private container was kept.
        Beside public addresses it may connect to 192.168.1.10:8080, [fd00::1]:443.

        """)
    #expect(
      try home.keyhost("keyboards", "list").lines.first
        == "1  \(keyboard)  FixtureKeyboard  open access, 192.168.1.10:8080, [fd00::1]:443")
    #expect(
      try home.keyhost("revoke", keyboard, "open-access").standardOutput
        == "\(keyboard) has open access no more.\n")
    #expect(
      try home.keyhost("apps", "remove", "org.example.fixture").standardOutput
        == "Removed org.example.fixture.\n")
    #expect(try home.keyhost("apps", "list").standardOutput == "No app is installed.\n")
    let log = try home.keyhost("log").lines.map { $0.split(separator: " ")[1] }
    #expect(
      log == [
        "install", "keyboards", "grant", "grant", "revoke", "remove",
      ])
  }

  @Test("the JSON of each command has the members that docs/json-output.md names")
  func jsonForms() throws {
    let app = try bundle(requestsOpenAccess: true)
    let install = try json("apps", "install", app)
    #expect(
      members(install) == [
        "app", "replacedVersion", "newlyRequestOpenAccess", "disabled", "lostOpenAccess",
        "resetSettings", "settingsFaults",
      ])
    #expect(install["replacedVersion"]?.isNull == true)
    let list = try json("apps", "list")
    #expect(members(list) == ["apps", "faults"])
    let first = list["apps"]?.elements?.first
    #expect(members(first) == ["identifier", "displayName", "version", "path", "keyboards"])
    #expect(
      members(first?["keyboards"]?.elements?.first) == [
        "identifier", "displayName", "version", "executable", "interpreter", "isASCIICapable",
        "prefersRightToLeft", "primaryLanguage", "requestsOpenAccess",
      ])
    let keyboards = try json("keyboards", "add", keyboard)["keyboards"]?.elements
    #expect(keyboards?.map { $0["position"]?.int64 } == [1, 2])
    #expect(
      members(keyboards?.last) == [
        "identifier", "displayName", "app", "position", "isInstalled", "damage",
        "requestsOpenAccess",
        "hasOpenAccess", "allowedHosts", "services",
      ])
    let grant = try json("grant", keyboard, "open-access")
    #expect(members(grant) == ["keyboard", "openAccess", "container", "allowedHosts", "services"])
    #expect(grant["container"]?.string == "empty")
    #expect(
      members(try json("revoke", keyboard, "open-access"))
        == ["keyboard", "openAccess", "allowedHosts", "services"])
    #expect(
      members(try json("explain")) == ["keyboard", "app", "verdict", "reasons"])
    #expect(try json("replacements", "list")["replacements"]?.elements?.isEmpty == true)
    let added = try json("replacements", "add", "omw", "on my way")["replacements"]?.elements
    #expect(added?.compactMap { $0["documentText"]?.string } == ["on my way"])
    #expect(
      try json("replacements", "remove", "omw")["replacements"]?.elements?.isEmpty == true)
    #expect(
      members(try json("new", "Hello", "--language=python", "--directory", home.work))
        == ["path", "language", "app", "keyboard"])
    #expect(
      members(try json("apps", "remove", "org.example.fixture", "--keep-data"))
        == ["app", "keyboards", "keptData"])
    for line in try home.keyhost("log", "--json").lines {
      #expect(members(try JSONDocument(parsing: line).root).starts(with: ["time", "event"]))
    }
    let text = try SourceTree.contents(of: "docs/json-output.md")
    for name in [
      "replacedVersion", "newlyRequestOpenAccess", "lostOpenAccess", "interpreter", "position",
      "hasOpenAccess", "container", "allowedHosts", "verdict", "reasons", "keptData", "faults",
    ] { #expect(text.contains("`\(name)`")) }
  }

  @Test(
    "explain says eligible or refused, each reason, and exits with 0 or 1",
    arguments: [
      (["--field", "{}"], "eligible", "field-allows", Int32(0)),
      (["--field", "{\"isSecureTextEntry\":true}"], "refused", "secure-entry", 1),
      (["--secure"], "refused", "secure-entry", 1),
      (["--was-secure"], "refused", "sticky-secure", 1),
      (["--field", "{\"keyboardType\":\"phonePad\"}"], "refused", "phone-pad", 1),
      (["--field-type", "namePhonePad"], "refused", "name-phone-pad", 1),
      (["--field-type", "numberPad"], "eligible", "numeric-pad-allows", 0),
      (
        ["--field", "{\"textContentType\":\"oneTimeCode\"}"], "refused", "sensitive-content-type", 1
      ),
      (["--field", "{\"keyboardType\":\"hologram\"}"], "refused", "unknown-trait-value", 1),
      (["--field", "{\"hologram\":1}"], "refused", "unknown-trait", 1),
      (["--app", "a.b", "--answer", "deny"], "refused", "app-veto", 1),
      (["--answer", "failed"], "refused", "app-answer-missing", 1),
      (["--answer", "allow"], "eligible", "app-allows", 0),
      (["--keyboard", "not.there"], "refused", "keyboard-not-installed", 1),
      (["--keyboard", "system"], "eligible", "system-serves-every-field", 0),
      (["--keyboard", "system", "--secure"], "eligible", "system-serves-every-field", 0),
    ])
  func explain(_ arguments: [String], _ verdict: String, _ code: String, _ exit: Int32) throws {
    _ = try home.keyhost("apps", "install", try bundle())
    _ = try home.keyhost("keyboards", "add", keyboard)
    let before = try Files.tree(home.path)
    let result = try home.keyhost.run(["explain"] + arguments)
    #expect(result.exitCode == exit)
    #expect(result.lines.first?.split(separator: " ").first.map(String.init) == verdict)
    #expect(result.lines.dropFirst().contains { $0.hasSuffix("(\(code))") })
    #expect(try Files.tree(home.path) == before)
  }

  @Test("explain without an enabled keyboard, or with one that is not enabled, says so")
  func explainNotEnabled() throws {
    #expect(try home.keyhost("explain").standardOutput.contains("no-keyboard-enabled"))
    _ = try home.keyhost("apps", "install", try bundle())
    let result = try home.keyhost("explain", "--keyboard", keyboard)
    #expect(result.exitCode == 1)
    #expect(result.standardOutput.contains("keyboard-not-enabled"))
    _ = try home.keyhost("keyboards", "add", keyboard, "--position=2")
    let chosen = try home.keyhost("explain")
    #expect(chosen.exitCode == 1)
    #expect(
      chosen.standardOutput
        == "refused\n  the user chose the system keyboard (system-keyboard-selected)\n")
  }

  @Test("what cannot mean anything is wrong use, whichever part of the program finds out")
  func wrongUse() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    for arguments in [
      ["new", "1Foo", "--language=python", "--directory", home.work],
      ["new", "Foo", "--language=python", "--identifier", "bad id", "--directory", home.work],
      ["grant", keyboard, "open-access", "--allow-host", "foo:80"],
      ["grant", keyboard, "open-access", "--allow-host", "192.168.1.1"],
      ["keyboards", "move", keyboard, "-1"], ["keyboards", "move", keyboard, "0"],
      ["keyboards", "add", keyboard, "--position", "-1"],
      ["keyboards", "add", keyboard, "--position=0"],
    ] {
      let result = try home.keyhost.run(arguments)
      #expect(result.exitCode == 2, "\(arguments): \(result)")
      #expect(!result.standardError.contains("unknown option"), "\(result)")
      #expect(result.standardError.contains("--help` tells how to use it"), "\(result)")
    }
    #expect(!Files.exists(home.work + "/Foo"))
  }

  @Test("a damaged app has the same story wherever somebody meets it")
  func damagedApp() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    _ = try home.keyhost("keyboards", "add", keyboard)
    Files.remove(
      home.path + "/data/keyhost/apps/org.example.fixture.app/PlugIns/FixtureKeyboard.appex/"
        + "FixtureKeyboard")
    let story = "its app org.example.fixture is damaged: "
    for arguments in [
      ["keyboards", "list"], ["keyboards", "add", keyboard + "x"], ["explain"],
      ["type", "--keyboard", keyboard], ["type"], ["grant", keyboard, "open-access"],
    ] {
      let result = try home.keyhost.run(arguments, input: Array("a".utf8))
      let said = result.standardOutput + result.standardError
      #expect(said.contains(story) && said.contains("FixtureKeyboard.appex"), "\(result)")
      #expect(!said.contains("not installed") && !said.contains("not enabled"), "\(result)")
    }
    #expect(
      try home.keyhost("apps", "list").standardError
        .contains("org.example.fixture cannot be used: "))
  }

  @Test("a keyboard that is asked for and is not in the list, or not there, is told apart")
  func askedFor() throws {
    _ = try home.keyhost("apps", "install", try bundle())
    let other = try home.keyhost("type", "--keyboard", keyboard)
    #expect(other.exitCode == 1)
    #expect(other.standardError.contains("`keyhost keyboards add \(keyboard)`"), "\(other)")
    let nobody = try home.keyhost("type", "--keyboard", "nobody")
    #expect(nobody.exitCode == 1)
    #expect(nobody.standardError.contains("no keyboard `nobody` is installed"), "\(nobody)")
  }

  @Test("a reader that goes away ends a command quietly, as by the signal of a closed pipe")
  func closedPipe() throws {
    let shell = Program("/bin/bash", environment: home.environment)
    for arguments in ["log", "log --json", "doctor", "--help", "keyboards list", "type --json"] {
      let result = try shell.run(
        "-c",
        "trap '' PIPE; (sleep 0.2; printf hi) 2>/dev/null | '\(Products.keyhost)' \(arguments) | :; "
          + "echo ${PIPESTATUS[1]}")
      #expect(result.standardError == "", "\(arguments): \(result)")
      // A command that has nothing to print meets no closed pipe.
      #expect(["0\n", "141\n"].contains(result.standardOutput), "\(arguments): \(result)")
      if arguments != "log", arguments != "log --json" {
        #expect(result.standardOutput == "141\n", "\(arguments): \(result)")
      }
    }
  }

  @Test("on a terminal nothing is asked about a grant that is refused anyway")
  func refusedGrantAsksNothing() throws {
    _ = try home.keyhost("apps", "install", try bundle())
    let terminal = Program("/usr/bin/script", environment: home.environment)
    let command = "\(Products.keyhost) grant \(keyboard) open-access"
    let result = try terminal.run("-qec", command, "/dev/null", input: "\n")
    #expect(result.exitCode == 1, "\(result)")
    #expect(!result.standardOutput.contains("Empty"), "\(result)")
    #expect(result.standardOutput.contains("RequestsOpenAccess"), "\(result)")
  }

  @Test("an installation that runs out of room leaves nothing")
  func noRoom() throws {
    let app = try bundle()
    try Files.write([UInt8](repeating: 1, count: 1 << 20), to: app + "/large")
    let shell = Program("/bin/sh", environment: home.environment)
    let result = try shell.run(
      "-c", "trap '' XFSZ; ulimit -f 512; exec \(Products.keyhost) apps install '\(app)'")
    #expect(result.exitCode == 1)
    #expect(result.standardError.contains("large: "))
    #expect(try Files.tree(home.path + "/data") == ["keyhost", "keyhost/apps"])
  }

  @Test("a damaged settings file stops every command that needs it, and is kept")
  func damagedSettings() throws {
    let app = try bundle()
    _ = try home.keyhost("apps", "install", app)
    let path = home.path + "/config/keyhost/settings.json"
    try Files.write("{\n  \"version\": 1,\n  nonsense\n}\n", to: path, mode: 0o600)
    for arguments in [
      ["keyboards", "list"], ["keyboards", "add", keyboard], ["apps", "install", app],
      ["apps", "remove", "org.example.fixture"], ["explain"], ["replacements", "list"],
      ["grant", keyboard, "open-access"],
    ] {
      let result = try home.keyhost.run(arguments)
      #expect(result.exitCode == 1, "\(arguments)")
      #expect(result.standardError.contains("\(path):3:3: "))
    }
    #expect(try Files.text(path) == "{\n  \"version\": 1,\n  nonsense\n}\n")
    #expect(Files.exists(home.path + "/data/keyhost/apps/org.example.fixture.app"))
  }

  @Test("new makes a Python keyboard that installs, and refuses what is in its way")
  func newPython() throws {
    let made = try home.keyhost("new", "Hello", "--language", "python", "--directory", home.work)
    #expect(made.exitCode == 0, "\(made)")
    let folder = home.work + "/Hello"
    for name in try Files.tree(folder) { #expect(!name.contains("{{")) }
    #expect(Files.exists(folder + "/.gitignore"))
    #expect(try home.keyhost("apps", "install", folder + "/Hello.app").exitCode == 0)
    let before = try Files.tree(home.work)
    for arguments in [
      ["new", "Hello", "--language=python"], ["new", "../x", "--language=python"],
      ["new", "Other", "--language=python", "--identifier=a..b"],
      ["new", "Other", "--language=python", "--identifier=$(id)"],
      ["new", "\u{1b}[2J", "--language=python"],
      ["new", String(repeating: "a", count: 41), "--language=python"],
    ] {
      let result = try home.keyhost.run(arguments + ["--directory", home.work])
      #expect(result.exitCode == (arguments[1] == "Hello" ? 1 : 2), "\(arguments)")
      #expect(!result.standardError.contains("\u{1b}"))
    }
    #expect(
      try home.keyhost("new", "X", "--language=python", "--directory", "/no/such/folder").exitCode
        == 1)
    #expect(try Files.tree(home.work) == before)
  }

  @Test("new makes a Swift keyboard with the SDK in it, all names filled in")
  func newSwift() throws {
    let made = try home.keyhost(
      "new", "Hello", "--language=swift", "--identifier=org.me.hello", "--directory", home.work)
    #expect(made.exitCode == 0, "\(made)")
    let folder = home.work + "/Hello"
    for name in ["Package.swift", "Makefile", "SDK/LICENSE", "SDK/KeyboardExtension"] {
      #expect(Files.exists(folder + "/" + name))
    }
    for name in try Files.tree(folder) where !name.hasPrefix("SDK") {
      guard let text = try? Files.text(folder + "/" + name) else { continue }
      #expect(!text.contains("{{"), "\(name)")
    }
  }
}
