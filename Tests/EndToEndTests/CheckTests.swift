import Glibc
import TestSupport
import Testing

/// `keyhost check`: the guidelines as a run.
@Suite("Check")
struct CheckTests {
  /// The results as lines, `VERDICT CHECK`.
  private func check(_ script: String, _ home: TemporaryHome) throws -> ProgramResult {
    let app = try FixtureApp(
      keyboards: [
        FixtureKeyboard(
          identifier: TemporaryHome.identifier("checked"), name: "checked", script: script)
      ]
    ).write(to: home.work)
    return try home.keyhost("check", app)
  }

  @Test("the examples conform", arguments: ["Habra", "PythonType"])
  func examples(_ name: String) throws {
    let home = try TemporaryHome()
    let result = try home.keyhost("check", "\(Products.bundles)/\(name).app")
    #expect(result.exitCode == 0, "\(result)")
    for check in [
      "starts-without-access", "answers-every-field", "comes-back", "repeats-no-host-key",
      "tries-nothing-refused", "has-how-to",
    ] { #expect(result.standardOutput.contains("  passed \(check)\n"), "\(result)") }
    // Nothing of it stays.
    #expect(try home.keyhost("apps", "list").standardOutput.contains("keyhost.examples") == false)
  }

  @Test("what a killed run has left is removed by the next, and that of a living one is not")
  func leftovers() throws {
    let dead = "/tmp/keyhost-check-dead\(getpid())"
    let alive = "/tmp/keyhost-check-alive\(getpid())"
    defer { for path in [dead, alive] { Files.remove(path) } }
    for path in [dead, alive] {
      try Files.makeDirectory(path + "/data")
      try Files.write("", to: path + "/.lock")
    }
    let lock = open(alive + "/.lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let home = try TemporaryHome()
    _ = try home.keyhost("check", "\(Products.bundles)/Intruder.app")
    #expect(!Files.exists(dead))
    #expect(Files.exists(alive + "/data"))
  }

  @Test("an example that misbehaves conforms as far as the guidelines go, with a remark")
  func intruder() throws {
    let home = try TemporaryHome()
    let result = try home.keyhost("check", "--json", "\(Products.bundles)/Intruder.app")
    #expect(
      result.standardOutput.contains(#""check":"tries-nothing-refused","verdict":"remark""#),
      "\(result)")
    #expect(result.standardOutput.contains("without open access it tried"), "\(result)")
  }

  @Test("a key that ends the keyboard is found, wherever it is")
  func crash() throws {
    let home = try TemporaryHome()
    let result = try check(
      PythonKeyboard.script(
        """
        def fragile(request):
            if request["params"]["event"].get("tap") == "key m":
                sys.exit(1)
            answer(request)
        serve(fragile)
        """), home)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.standardOutput.contains("  failed answers-every-field: default: the key \"m\": "),
      "\(result)")
  }

  @Test("keys that are the host's are found, and an app without a how-to is told so")
  func hostKeys() throws {
    let home = try TemporaryHome()
    let result = try check(
      PythonKeyboard.script(
        """
        def start(request):
            row = [{"id": "a", "label": "a", "role": "character", "insertText": "a"},
                   {"id": "globe", "label": "\\U0001F310", "role": "nextKeyboard"}]
            send(id=request["id"], result={"protocolVersion": 1, "layout": {"rows": [row]}})
        TEXT["a"], TEXT["globe"] = "a", ""
        serve(on_initialize=start)
        """), home)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardOutput.contains("  failed repeats-no-host-key: "), "\(result)")
    #expect(
      result.standardOutput.contains("  remark has-how-to: the app has no HowTo.txt\n"), "\(result)"
    )
  }

  @Test("a keyboard that does not start is told with its reason")
  func noStart() throws {
    let home = try TemporaryHome()
    let result = try check("#!/usr/bin/python3\nraise SystemExit(3)\n", home)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardOutput.contains("  failed starts-without-access: "), "\(result)")
  }

  @Test("a bundle that cannot be installed is refused with its file")
  func damaged() throws {
    let home = try TemporaryHome()
    let result = try home.keyhost("check", home.work)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardError.contains(home.work), "\(result)")
  }

  @Test("an app's how-to is shown, and cannot steer the terminal")
  func howTo() throws {
    let home = try TemporaryHome()
    try home.expectSuccess("apps", "install", "\(Products.bundles)/Habra.app")
    let shown = try home.expectSuccess(
      "keyboards", "how-to", "org.keyhost.examples.habra.keyboard")
    #expect(shown.standardOutput.contains("The words of Habra:\n"), "\(shown)")
    #expect(shown.standardOutput.contains("Switch to it with the globe key"), "\(shown)")
    #expect(
      shown.standardOutput.contains("keyhost keyboards add org.keyhost.examples.habra.keyboard\n"),
      "\(shown)")

    let app = try FixtureApp(
      keyboards: [
        FixtureKeyboard(
          identifier: TemporaryHome.identifier("k"), name: "k", script: PythonKeyboard.plain)
      ]
    ).write(to: home.work)
    try Files.write("\u{1B}]0;title\u{07}\u{202E}first\r\nsecond\r\n", to: "\(app)/HowTo.txt")
    try home.expectSuccess("apps", "install", app)
    let hostile = try home.expectSuccess("keyboards", "how-to", TemporaryHome.identifier("k"))
    #expect(!hostile.standardOutput.contains("\u{1B}"), "\(hostile)")
    #expect(hostile.standardOutput.contains("  second\n"), "\(hostile)")
  }
}
