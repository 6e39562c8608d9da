import StrictJSON
import TestSupport
import Testing

private let app = "org.example.fixture"
private let keyboard = "org.example.fixture.keyboard"

/// `keyhost settings` for an app's settings bundle, as a person uses it.
@Suite("The settings command")
struct SettingsCommandTests {
  let home: TemporaryHome
  init() throws { home = try TemporaryHome() }

  private static func specifier(
    _ type: String, _ key: String, _ title: String, _ members: (String, PropertyListText)...
  ) -> PropertyListText {
    .dictionary(
      [
        ("Type", .string("PS\(type)Specifier")), ("Key", .string(key)), ("Title", .string(title)),
      ] + members)
  }

  static let standard: [PropertyListText] = [
    .dictionary([("Type", .string("PSGroupSpecifier")), ("Title", .string("Typing"))]),
    specifier("TextField", "tag", "Tag", ("DefaultValue", .string("b"))),
    specifier("ToggleSwitch", "sound", "Sound", ("DefaultValue", .boolean(true))),
    specifier(
      "Slider", "size", "Size", ("DefaultValue", .integer(3)), ("MinimumValue", .integer(1)),
      ("MaximumValue", .integer(5))),
    specifier(
      "MultiValue", "mode", "Mode", ("DefaultValue", .integer(0)),
      ("Values", .array([.integer(0), .integer(1)])),
      ("Titles", .array([.string("Fast"), .string("Exact")]))),
    specifier("TextField", "token", "Token", ("IsSecure", .boolean(true))),
    specifier("TitleValue", "version", "Version", ("DefaultValue", .string("1.0"))),
  ]

  @discardableResult
  private func install(_ specifiers: [PropertyListText] = standard) throws -> ProgramResult {
    let path = try FixtureApp(
      keyboards: [FixtureKeyboard(script: "#!/usr/bin/python3\n")],
      settings: .dictionary([("PreferenceSpecifiers", .array(specifiers))])
    ).write(to: home.work)
    let result = try home.keyhost("apps", "install", path)
    try #require(result.exitCode == 0, "\(result)")
    return result
  }

  @Test("settings are listed, set, shown and reset, by the app's id and the keyboard's")
  func story() throws {
    try install()
    #expect(
      try home.keyhost("settings", app).standardOutput == """
        Typing
          tag      b       default  a text                      Tag
          sound    on      default  on or off                   Sound
          size     3       default  a number from 1 to 5        Size
          mode     0       default  one of 0 (Fast), 1 (Exact)  Mode
          token    (none)  default  a secret text               Token
          version  1.0     default  shown only                  Version

        """)
    for (key, value) in [("tag", "h2"), ("sound", "off"), ("size", "4.5"), ("mode", "Exact")] {
      let set = try home.keyhost("settings", keyboard, key, value)
      #expect(set.exitCode == 0 && set.standardOutput.isEmpty, "\(set)")
    }
    #expect(try home.keyhost("settings", keyboard, "tag").standardOutput == "h2\n")
    #expect(try home.keyhost("settings", app, "mode").standardOutput == "1\n")
    let list = try home.keyhost("settings", app).standardOutput
    #expect(list.contains("size     4.5     default 3"), "\(list)")
    #expect(try home.keyhost("settings", app, "size", "--reset").exitCode == 0)
    #expect(try home.keyhost("settings", app, "size").standardOutput == "3\n")
    #expect(try home.keyhost("settings", app, "tag").standardOutput == "h2\n")
    #expect(try home.keyhost("settings", app, "--reset").exitCode == 0)
    #expect(try home.keyhost("settings", app, "tag").standardOutput == "b\n")
  }

  @Test("what is no value, no key, or nobody's is refused, and nothing changes")
  func refusals() throws {
    try install()
    for (key, value) in [("sound", "yes"), ("size", "6"), ("size", "nan"), ("mode", "2")] {
      let result = try home.keyhost("settings", app, key, value)
      #expect(result.exitCode == 2, "\(result)")
      #expect(result.standardError.contains("is no value of `\(key)`, which is "), "\(result)")
    }
    let shown = try home.keyhost("settings", app, "version", "2")
    #expect(shown.exitCode == 1 && shown.standardError.contains("only shown"), "\(shown)")
    #expect(try home.keyhost("settings", app, "tags", "x").exitCode == 2)
    #expect(try home.keyhost("settings", app, "tag", "x", "--reset").exitCode == 2)
    let nobody = try home.keyhost("settings", "org.example.nowhere")
    #expect(nobody.exitCode == 1 && nobody.standardError.contains("installed"), "\(nobody)")
    #expect(!(try home.keyhost("settings", app).standardOutput.contains("default b")))
  }

  @Test("a secret is in no list and no error, and can come by the standard input")
  func secrets() throws {
    try install()
    let secret = "s3cret-\u{1b}[31m"
    #expect(try home.keyhost("settings", app, "token", "-", input: secret + "\n").exitCode == 0)
    for arguments in [["settings", app], ["settings", app, "--json"]] {
      let shown = try home.keyhost.run(arguments)
      #expect(shown.exitCode == 0 && !shown.standardOutput.contains("s3cret"), "\(shown)")
    }
    #expect(try home.keyhost("settings", app, "token").standardOutput == "s3cret-\\u{1b}[31m\n")
    let long = try home.keyhost(
      "settings", app, "token", "s3cret" + String(repeating: "x", count: 5000))
    #expect(long.exitCode == 2 && !long.standardError.contains("s3cret"), "\(long)")
    #expect(!(try home.keyhost("log", "--json").standardOutput.contains("s3cret")))
  }

  @Test("a new version loses what it cannot use, says so, and keeps the rest")
  func update() throws {
    try install()
    for (key, value) in [("tag", "h2"), ("sound", "off"), ("size", "5"), ("token", "t")] {
      try home.expectSuccess("settings", app, key, value)
    }
    var next = Self.standard
    next.removeLast(2)
    next[2] = Self.specifier("TextField", "sound", "Sound", ("DefaultValue", .string("beep")))
    next[3] = Self.specifier(
      "Slider", "size", "Size", ("DefaultValue", .integer(2)), ("MinimumValue", .integer(1)),
      ("MaximumValue", .integer(4)))
    let updated = try install(next)
    for key in ["sound", "size", "token"] {
      #expect(
        updated.standardOutput.contains("What you had set for `\(key)` has ended"), "\(updated)")
    }
    #expect(!updated.standardOutput.contains("`tag`"))
    #expect(try home.keyhost("settings", app, "tag").standardOutput == "h2\n")
    #expect(try home.keyhost("settings", app, "sound").standardOutput == "beep\n")
    #expect(try home.keyhost("settings", app, "size").standardOutput == "2\n")
    // What ended does not come back with the setting.
    try install()
    #expect(try home.keyhost("settings", app, "sound").standardOutput == "on\n")
  }

  @Test("what is set goes with its app, and stays with its data")
  func removal() throws {
    try install()
    try home.expectSuccess("settings", app, "tag", "h2")
    try home.expectSuccess("apps", "remove", app, "--keep-data")
    try install()
    #expect(try home.keyhost("settings", app, "tag").standardOutput == "h2\n")
    try home.expectSuccess("apps", "remove", app)
    #expect(!(try Files.text(home.path + "/config/keyhost/settings.json").contains("h2")))
    try install()
    #expect(try home.keyhost("settings", app, "tag").standardOutput == "b\n")
  }

  @Test("titles and values cannot reach a terminal, and faults are told with their place")
  func hostile() throws {
    let installed = try install([
      .dictionary([("Type", .string("PSGroupSpecifier")), ("Title", .string("\u{2066}x"))]),
      Self.specifier(
        "TextField", "a", "A\u{202e}B\nC", ("DefaultValue", .string("\u{202e}x\n\ty"))),
      .dictionary([("Type", .string("PSHologramSpecifier")), ("Key", .string("b"))]),
      Self.specifier("TextField", "a", "again"),
    ])
    #expect(installed.standardError.contains("PreferenceSpecifiers[2].Type"), "\(installed)")
    let list = try home.keyhost("settings", app)
    #expect(list.exitCode == 1, "\(list)")
    let all = list.standardOutput + list.standardError
    #expect(!all.unicodeScalars.contains { $0.value == 0x2066 || $0.value == 0x202e })
    #expect(list.standardOutput.contains("A\\u{202e}B\\nC"), "\(list)")
    #expect(list.standardError.contains("PreferenceSpecifiers[3].Key` is `a`"), "\(list)")
    #expect(try home.keyhost("settings", app, "a", "x").exitCode == 0)
  }

  @Test("values that are not the bundle's have no effect, and a broken settings file is told")
  func handWritten() throws {
    try install()
    try home.expectSuccess("settings", app, "tag", "h2")
    let path = home.path + "/config/keyhost/settings.json"
    let text = try Files.text(path)
    try Files.write(
      text.replacing(#"{"tag":"h2"}"#, with: #"{"tag":7,"nowhere":true,"size":2}"#), to: path,
      mode: 0o600)
    let list = try home.keyhost("settings", app)
    #expect(list.exitCode == 1, "\(list)")
    #expect(
      list.standardError.contains("`nowhere`") && list.standardError.contains("`tag`"), "\(list)")
    #expect(list.standardOutput.contains("tag      b"), "\(list)")
    #expect(list.standardOutput.contains("size     2"), "\(list)")
    try Files.write(
      text.replacing(#"{"tag":"h2"}"#, with: #"{"tag":{"x":1}}"#), to: path, mode: 0o600)
    let broken = try home.keyhost("settings", app)
    #expect(broken.exitCode == 1 && broken.standardError.contains("settings.json:"), "\(broken)")
  }

  @Test("the JSON has the members that docs/json-output.md names")
  func json() throws {
    try install()
    let result = try home.keyhost("settings", app, "mode", "Exact", "--json")
    let root = try JSONDocument(parsing: result.standardOutput).root
    #expect(root.members?.map(\.key) == ["app", "settings", "faults", "unusable"])
    let mode = try #require(root["settings"]?.elements?.first)
    #expect(
      mode.members?.map(\.key) == [
        "key", "title", "group", "type", "isSecure", "values", "minimum", "maximum", "default",
        "value", "isDefault",
      ])
    #expect(mode["value"]?.int64 == 1 && mode["default"]?.int64 == 0)
    #expect(mode["isDefault"]?.boolean == false)
    #expect(mode["values"]?.elements?.map { $0["title"]?.string } == ["Fast", "Exact"])
  }
}
