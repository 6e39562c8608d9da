import Glibc
import TestSupport
import Testing

/// `keyhost apps install|list|remove`, run as a user runs it.
@Suite("Bundles")
struct BundleTests {
  static let script = "#!/usr/bin/python3\nimport sys\nsys.stdin.read()\n"

  static func fixture() -> FixtureApp {
    FixtureApp(keyboards: [FixtureKeyboard(script: script)])
  }

  @Test("an app is installed, listed, and removed without a trace")
  func installListRemove() throws {
    let home = try TemporaryHome()
    let app = try Self.fixture().write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    #expect(installed.exitCode == 0, "\(installed)")
    let list = try home.keyhost("apps", "list")
    #expect(list.exitCode == 0, "\(list)")
    #expect(list.standardOutput.contains("org.example.fixture"))
    #expect(list.standardOutput.contains("org.example.fixture.keyboard"))

    let removed = try home.keyhost("apps", "remove", "org.example.fixture")
    #expect(removed.exitCode == 0, "\(removed)")
    let after = try home.keyhost("apps", "list")
    #expect(!after.standardOutput.contains("org.example.fixture"))
    let left = try Files.tree("\(home.path)/data").filter { $0.contains("Fixture") }
    #expect(left.isEmpty, "\(left)")
    // The folder that it was installed from is the user's.
    #expect(Files.exists("\(app)/Info.plist"))
  }

  @Test("installing enables nothing")
  func installingEnablesNothing() throws {
    let home = try TemporaryHome()
    let app = try Self.fixture().write(to: home.work)
    #expect(try home.keyhost("apps", "install", app).exitCode == 0)
    let typed = try home.keyhost("type", "--json", input: "a")
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(!typed.standardOutput.contains("org.example.fixture.keyboard"), "\(typed)")
    // One that was enabled and came to nothing would not type either.
    let decision = try home.keyhost("log", "--json", "--event", "decision")
    #expect(decision.lines.count == 1, "\(decision)")
    #expect(decision.standardOutput.contains("no-keyboard-enabled"), "\(decision)")
    #expect(try home.keyhost("log", "--event", "launch").lines.isEmpty)
  }

  @Test("the program of the containing app is never run, whatever is done with its keyboard")
  func containingApp() throws {
    let home = try TemporaryHome()
    let marker = "\(home.work)/ran"
    var fixture = FixtureApp(
      keyboards: [FixtureKeyboard(script: PythonKeyboard.plain, requestsOpenAccess: true)],
      settings: .dictionary([("PreferenceSpecifiers", .array([]))]))
    fixture.propertyList = fixture.propertyList.setting(
      "CFBundleExecutable", to: .string("Fixture"))
    let app = try fixture.write(to: home.work)
    let program = "#!/bin/sh\n: > '\(marker)'\n"
    try Files.write(program, to: "\(app)/Fixture", mode: 0o755)
    let keyboard = "org.example.fixture.keyboard"
    let steps = [
      ["check", app], ["apps", "install", app], ["apps", "list"], ["keyboards", "add", keyboard],
      ["keyboards", "how-to", keyboard], ["settings", "org.example.fixture"],
      ["grant", keyboard, "open-access", "--empty-container"], ["revoke", keyboard, "open-access"],
    ]
    for step in steps {
      let result = try home.keyhost.run(step)
      // A remark of the conformance run is none about the program.
      #expect(result.exitCode == 0 || step[0] == "check", "\(step): \(result)")
    }
    #expect(try home.keyhost("type", input: "ab").standardOutput == "ab\n")
    try home.expectSuccess("apps", "remove", "org.example.fixture")
    #expect(!Files.exists(marker))
    // It is a program that does something.
    #expect(try Program("\(app)/Fixture").run().exitCode == 0 && Files.exists(marker))
  }

  @Test("a binary property list is read like an XML one")
  func binaryPropertyList() throws {
    let home = try TemporaryHome()
    let app = try Self.fixture().write(to: home.work)
    let convert = try Program("/usr/bin/python3").run(
      "-c",
      """
      import plistlib, sys
      for path in sys.argv[1:]:
          data = plistlib.load(open(path, "rb"))
          plistlib.dump(data, open(path, "wb"), fmt=plistlib.FMT_BINARY)
      """, "\(app)/Info.plist", "\(app)/PlugIns/FixtureKeyboard.appex/Info.plist")
    #expect(convert.exitCode == 0, "\(convert)")
    #expect(try Files.read("\(app)/Info.plist").starts(with: Array("bplist00".utf8)))
    let installed = try home.keyhost("apps", "install", app)
    #expect(installed.exitCode == 0, "\(installed)")
  }

  /// A way to break the bundle, and the file that the error must name.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var testDescription: String { name }
    var prepare: @Sendable (inout FixtureApp) -> Void = { _ in }
    /// Done to the written bundle.
    var damage: @Sendable (String) throws -> Void = { _ in }
  }

  static let appex = "PlugIns/FixtureKeyboard.appex"

  static let faults: [Fault] = [
    Fault(
      name: "RequestsOpenAccess is the string NO", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("RequestsOpenAccess", to: .string("NO")) }),
    Fault(
      name: "RequestsOpenAccess is the string YES", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("RequestsOpenAccess", to: .string("YES")) }),
    Fault(
      name: "RequestsOpenAccess is the number 1", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("RequestsOpenAccess", to: .integer(1)) }),
    Fault(
      name: "RequestsOpenAccess is 1.0", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("RequestsOpenAccess", to: .real(1)) }),
    Fault(
      name: "RequestsOpenAccess is an array", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("RequestsOpenAccess", to: .array([])) }),
    Fault(
      name: "IsASCIICapable is the string false", file: "Info.plist",
      prepare: { $0.keyboards[0].setAttribute("IsASCIICapable", to: .string("false")) }),
    Fault(
      name: "the keyboard's identifier is missing", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleIdentifier", nil) }),
    Fault(
      name: "the keyboard's identifier is a number", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleIdentifier", .integer(7)) }),
    Fault(
      name: "the keyboard's executable is not named", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleExecutable", nil) }),
    Fault(
      name: "the extension dictionary is missing", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "NSExtension", nil) }),
    Fault(
      name: "the extension point is another one", file: "Info.plist",
      prepare: { app in
        let extensionPoint = app.keyboards[0].propertyList["NSExtension"]?
          .setting("NSExtensionPointIdentifier", to: .string("com.apple.share-services"))
        edit(&app.keyboards[0], "NSExtension", extensionPoint)
      }),
    Fault(
      name: "the app's identifier is missing", file: "Info.plist",
      prepare: { $0.propertyList = $0.propertyList.setting("CFBundleIdentifier", to: nil) }),
    Fault(
      name: "the app's identifier looks like an option", file: "Info.plist",
      prepare: {
        $0.propertyList = $0.propertyList.setting("CFBundleIdentifier", to: .string("--help"))
      }),
    Fault(
      name: "the keyboard's identifier climbs", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleIdentifier", .string("../../../escape")) }),
    Fault(
      name: "the app's identifier climbs", file: "Info.plist",
      prepare: {
        $0.propertyList = $0.propertyList.setting("CFBundleIdentifier", to: .string("a/../../b"))
      }),
    Fault(
      name: "the keyboard's identifier holds a newline", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleIdentifier", .string("org.example\n.keyboard")) }),
    Fault(
      name: "the display name holds an escape sequence", file: "Info.plist",
      prepare: {
        edit(&$0.keyboards[0], "CFBundleDisplayName", .string("Nice\u{202E}evil"))
      }),
    Fault(
      name: "the executable climbs", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleExecutable", .string("../../../bin/sh")) }),
    Fault(
      name: "the executable's name looks like an option", file: "Info.plist",
      prepare: { edit(&$0.keyboards[0], "CFBundleExecutable", .string("-c")) }),
    Fault(
      name: "two keyboards share an identifier", file: "Info.plist",
      prepare: { app in
        var second = app.keyboards[0]
        second.name = "Second"
        app.keyboards.append(second)
      }),
    Fault(
      name: "the property list is not one", file: "Info.plist",
      prepare: { $0.keyboards[0].propertyListBytes = Array("this is not a property list".utf8) }),
    Fault(
      name: "the property list is empty", file: "Info.plist",
      prepare: { $0.keyboards[0].propertyListBytes = [] }),
    Fault(
      name: "the property list is an array", file: "Info.plist",
      prepare: { $0.keyboards[0].propertyList = .array([]) }),
    Fault(
      name: "the property list is nested a hundred thousand deep", file: "Info.plist",
      prepare: {
        $0.keyboards[0].propertyList = .raw(String(repeating: "<array>", count: 100_000))
      }),
    Fault(
      name: "the executable is missing", file: "FixtureKeyboard",
      damage: { Files.remove("\($0)/\(appex)/FixtureKeyboard") }),
    Fault(
      name: "the executable is not executable", file: "FixtureKeyboard",
      prepare: { $0.keyboards[0].executableMode = 0o644 }),
    Fault(
      name: "the executable is set-user-id", file: "FixtureKeyboard",
      prepare: { $0.keyboards[0].executableMode = 0o4755 }),
    Fault(
      name: "the executable is world-writable", file: "FixtureKeyboard",
      prepare: { $0.keyboards[0].executableMode = 0o777 }),
    Fault(
      name: "the executable is a link out of the bundle", file: "FixtureKeyboard",
      damage: {
        Files.remove("\($0)/\(appex)/FixtureKeyboard")
        symlink("/bin/sh", "\($0)/\(appex)/FixtureKeyboard")
      }),
    Fault(
      name: "a resource is a link out of the bundle", file: "secrets",
      damage: { symlink("/etc/passwd", "\($0)/\(appex)/secrets") }),
    Fault(
      name: "a resource is a fifo", file: "pipe", damage: { mkfifo("\($0)/\(appex)/pipe", 0o644) }),
    Fault(
      name: "the executable is a folder", file: "FixtureKeyboard",
      damage: {
        Files.remove("\($0)/\(appex)/FixtureKeyboard")
        try Files.makeDirectory("\($0)/\(appex)/FixtureKeyboard")
      }),
    Fault(
      name: "the interpreter is found through env", file: "FixtureKeyboard",
      prepare: { $0.keyboards[0].executable = Array("#!/usr/bin/env python3\n".utf8) }),
    Fault(
      name: "the interpreter does not exist", file: "FixtureKeyboard",
      prepare: { $0.keyboards[0].executable = Array("#!/usr/bin/no-such-interpreter\n".utf8) }),
    Fault(
      name: "the app has no property list", file: "Info.plist",
      damage: { Files.remove("\($0)/Info.plist") }),
    Fault(
      name: "the keyboard has no property list", file: "Info.plist",
      damage: { Files.remove("\($0)/\(appex)/Info.plist") }),
    Fault(
      name: "there is no keyboard in it", file: "PlugIns",
      damage: { Files.remove("\($0)/\(appex)") }),
  ]

  private static func edit(
    _ keyboard: inout FixtureKeyboard, _ key: String, _ value: PropertyListText?
  ) {
    keyboard.propertyList = keyboard.propertyList.setting(key, to: value)
  }

  @Test("a faulty bundle is refused, the file is named, and nothing is left", arguments: faults)
  func faultyBundle(_ fault: Fault) throws {
    let home = try TemporaryHome()
    var fixture = Self.fixture()
    fault.prepare(&fixture)
    let app = try fixture.write(to: home.work)
    try fault.damage(app)
    let result = try home.keyhost("apps", "install", app)
    #expect(result.end == .exited(1) || result.end == .exited(2), "\(result)")
    #expect(result.standardError.contains(fault.file), "\(result)")
    expectPlainText(result.standardError)
    let left = try Files.tree("\(home.path)/data").filter {
      $0.contains("Fixture") || $0.contains("fixture") || $0.contains(".appex")
    }
    #expect(left.isEmpty, "left behind: \(left)")
    let list = try home.keyhost("apps", "list")
    #expect(list.exitCode == 0, "\(list)")
    #expect(!list.standardOutput.contains("fixture"), "\(list)")
  }

  @Test("a folder that is no app, a file, and nothing at all are errors")
  func notAnApp() throws {
    let home = try TemporaryHome()
    try Files.makeDirectory("\(home.work)/Empty.app")
    try Files.write("text", to: "\(home.work)/file.app")
    for path in ["Empty.app", "file.app", "missing.app"] {
      let result = try home.keyhost("apps", "install", "\(home.work)/\(path)")
      #expect(result.end == .exited(1) || result.end == .exited(2), "\(path): \(result)")
      #expect(result.standardError.contains(path), "\(result)")
    }
  }

  @Test("removing what is not installed is an error, and climbs nowhere")
  func removingNothing() throws {
    let home = try TemporaryHome()
    try Files.write("mine", to: "\(home.path)/precious")
    for identifier in ["org.example.none", "../../precious", "..", "/", ""] {
      let result = try home.keyhost("apps", "remove", identifier)
      #expect(result.end == .exited(1) || result.end == .exited(2), "\(identifier): \(result)")
    }
    #expect(try Files.text("\(home.path)/precious") == "mine")
  }

  @Test("an installed copy does not change with its source, and installing again replaces it")
  func installedCopyIsItsOwn() throws {
    let home = try TemporaryHome()
    var fixture = Self.fixture()
    let app = try fixture.write(to: home.work)
    #expect(try home.keyhost("apps", "install", app).exitCode == 0)
    Files.remove(app)
    #expect(try home.keyhost("apps", "list").standardOutput.contains("org.example.fixture"))

    fixture.propertyList = fixture.propertyList
      .setting("CFBundleShortVersionString", to: .string("2.7"))
    let update = try home.keyhost("apps", "install", try fixture.write(to: home.work))
    #expect(update.exitCode == 0, "\(update)")
    let list = try home.keyhost("apps", "list")
    #expect(list.standardOutput.contains("2.7"), "\(list)")
  }
}

/// Foreign text reaches a terminal only in visible form.
func expectPlainText(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let hidden = text.unicodeScalars.filter {
    ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0).contains($0.value)
      || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
  }
  #expect(
    hidden.isEmpty, "control characters in: \(text.debugDescription)",
    sourceLocation: sourceLocation)
}
