import TestSupport
import Testing

/// `keyhost keyboards` and `keyhost grant`: what the user chose, kept whole.
@Suite("The user's choice")
struct ChoiceTests {
  static func home() throws -> TemporaryHome {
    let home = try TemporaryHome()
    let app = try FixtureApp(keyboards: [
      FixtureKeyboard(
        identifier: "org.example.fixture.one", name: "One", script: BundleTests.script,
        requestsOpenAccess: true),
      FixtureKeyboard(
        identifier: "org.example.fixture.two", name: "Two", script: BundleTests.script),
    ]).write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    try #require(installed.exitCode == 0, "\(installed)")
    return home
  }

  /// The identifiers in the order that the listing gives them.
  static func enabled(_ home: TemporaryHome) throws -> [String] {
    let list = try home.keyhost("keyboards", "list")
    try #require(list.exitCode == 0, "\(list)")
    return list.lines.compactMap { line in
      ["org.example.fixture.one", "org.example.fixture.two"].first { line.contains($0) }
    }
  }

  @Test("keyboards are added, moved and removed")
  func addMoveRemove() throws {
    let home = try Self.home()
    #expect(try home.keyhost("keyboards", "add", "org.example.fixture.one").exitCode == 0)
    #expect(try home.keyhost("keyboards", "add", "org.example.fixture.two").exitCode == 0)
    #expect(try Self.enabled(home) == ["org.example.fixture.one", "org.example.fixture.two"])
    let moved = try home.keyhost("keyboards", "move", "org.example.fixture.two", "1")
    #expect(moved.exitCode == 0, "\(moved)")
    #expect(try Self.enabled(home) == ["org.example.fixture.two", "org.example.fixture.one"])
    let removed = try home.keyhost("keyboards", "remove", "org.example.fixture.two")
    #expect(removed.exitCode == 0, "\(removed)")
    #expect(try Self.enabled(home).first == "org.example.fixture.one")
  }

  @Test("a keyboard that is not installed cannot be added")
  func addingWhatIsNotThere() throws {
    let home = try Self.home()
    for identifier in ["org.example.nowhere", "--help-me", "", "../x"] {
      let result = try home.keyhost("keyboards", "add", identifier)
      #expect(result.end == .exited(1) || result.end == .exited(2), "\(identifier): \(result)")
    }
  }

  @Test("open access is granted only to a keyboard that asks for it")
  func grant() throws {
    let home = try Self.home()
    let refused = try home.keyhost("grant", "org.example.fixture.two", "open-access")
    #expect(refused.exitCode == 1, "\(refused)")
    #expect(refused.standardError.contains("RequestsOpenAccess"), "\(refused)")
    let unknown = try home.keyhost("grant", "org.example.fixture.one", "microphone")
    #expect(unknown.end == .exited(1) || unknown.end == .exited(2), "\(unknown)")
    let missing = try home.keyhost("grant", "org.example.nowhere", "open-access")
    #expect(missing.exitCode == 1, "\(missing)")

    let granted = try home.keyhost("grant", "org.example.fixture.one", "open-access")
    #expect(granted.exitCode == 0, "\(granted)")
    let revoked = try home.keyhost("revoke", "org.example.fixture.one", "open-access")
    #expect(revoked.exitCode == 0, "\(revoked)")
    let weaker = try home.keyhost("type", "--allow-weaker", "landlock")
    #expect(weaker.exitCode == 0, "\(weaker)")
    let never = try home.keyhost("type", "--allow-weaker", "seccomp")
    #expect(never.exitCode == 2, "\(never)")
    let log = try home.keyhost("log", "--json")
    for event in ["grant", "weakened", "revoke"] {
      #expect(log.standardOutput.contains("\"event\":\"\(event)\""), "\(log)")
    }
  }

  @Test("a damaged settings file is an error that names it and keeps it, byte for byte")
  func damagedSettings() throws {
    let home = try Self.home()
    #expect(try home.keyhost("keyboards", "add", "org.example.fixture.one").exitCode == 0)
    let settings = try #require(
      try Files.tree("\(home.path)/config").first { $0.hasSuffix("settings.json") })
    let path = "\(home.path)/config/\(settings)"
    let whole = try Files.text(path)
    for damaged in [String(whole.dropLast(whole.count / 2)), "", "[]", whole + "}"] {
      try Files.write(damaged, to: path, mode: 0o600)
      for arguments in [
        ["keyboards", "list"], ["keyboards", "add", "org.example.fixture.two"],
        ["explain", "--field", "{}"],
      ] {
        let result = try home.keyhost.run(arguments)
        #expect(result.exitCode == 1 || result.exitCode == 2, "\(arguments): \(result)")
        #expect(result.standardError.contains("settings.json"), "\(arguments): \(result)")
        #expect(try Files.text(path) == damaged)
      }
    }
  }

  @Test("twenty writers at once lose nothing")
  func manyWriters() throws {
    let home = try Self.home()
    let writers = try (0..<20).map { number in
      try home.keyhost.start([
        "keyboards", "add",
        number.isMultiple(of: 2)
          ? "org.example.fixture.one"
          : "org.example.fixture.two",
      ])
    }
    for writer in writers {
      writer.closeInput()
      let result = writer.finish()
      // One of each wins; the others are told that it is there already.
      #expect(result.end == .exited(0) || result.end == .exited(1), "\(result)")
    }
    #expect(
      try Self.enabled(home).sorted() == ["org.example.fixture.one", "org.example.fixture.two"])
  }
}
