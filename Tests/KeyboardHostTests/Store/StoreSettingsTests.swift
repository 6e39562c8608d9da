import Glibc
import StrictJSON
import TestSupport
import Testing

@testable import KeyboardHost

@Suite("The settings file")
struct StoreSettingsTests {
  let fixture: StoreFixture
  var store: SettingsStore { SettingsStore(paths: fixture.paths) }
  init() throws { fixture = try StoreFixture() }

  @Test("what is written is read again, whole")
  func roundTrip() throws {
    var settings = HostSettings()
    settings.enabledKeyboards = ["b.c", "system", "a"]
    settings.openAccess = ["a"]
    settings.identities = ["a": 70_000, "b.c": 99_999]
    settings.textReplacements = [
      TextReplacement(userInput: "omw", documentText: "on \"my\"\nway 👍")
    ]
    settings.weakenings = ["a": ["network"]]
    settings.owners = ["a.b.c": "a.b"]
    settings.services = ["a": [.contacts, .location], "b.c": [.location]]
    settings.place = FixedPlace(latitude: -33.86, longitude: 151.2, accuracy: 25)
    settings.appSettings = [
      "org.example": [
        "s": .string("x\n\u{1b}"), "b": .bool(false), "i": .integer(.min), "r": .real(3),
        "l": .list(["a", ""]),
      ]
    ]
    #expect(try HostSettings(decoding: settings.encoded()) == settings)
    #expect(try HostSettings(decoding: HostSettings().encoded()) == HostSettings())
  }

  @Test("what a change that was killed has left is removed by the next")
  func leftovers() throws {
    let folder = fixture.paths.settingsFile.split(separator: "/").dropLast().joined(separator: "/")
    try Files.makeDirectory("/" + folder)
    for name in [".settings.json.1.new", ".settings.json.99999.new", ".other.new", "x.new"] {
      try Files.write("{", to: "/\(folder)/\(name)")
    }
    try store.update(log: fixture.log) { (settings) throws(StoreError) in
      settings.openAccess = ["a"]
      return PlannedChange(result: ())
    }
    let left = try Files.list("/" + folder).filter { $0.hasSuffix(".new") }
    #expect(Set(left) == [".other.new", "x.new"])
  }

  @Test("without a file the settings are the first ones, and nothing is written")
  func missing() throws {
    #expect(try store.load() == HostSettings())
    #expect(!Files.exists(fixture.paths.settingsFile))
  }

  @Test(
    "a damaged file is an error that names it and its place, and is kept as it is",
    arguments: [
      ("", ":1:1: "), ("{", ":1:2: "), ("null", ":1:1: the settings are not an object"),
      ("[]", ":1:1: the settings are not an object"), ("{}", ":1:1: the key `version` is missing"),
      ("{\"version\": 2}", ":1:13: `version` is not 1"),
      ("{\"version\": \"1\"}", ":1:13: `version` is not 1"),
      (
        "{\"version\": 1,\n \"enabledKeyboard\": []}",
        ":2:2: the key `enabledKeyboard` is not known"
      ),
      ("{\"version\": 1, \"enabledKeyboards\": []}", "lacks `system`"),
      ("{\"version\": 1, \"enabledKeyboards\": [\"system\", 1]}", "is not a string"),
      ("{\"version\": 1, \"enabledKeyboards\": [\"system\", \"system\"]}", "stands there twice"),
      ("{\"version\": 1, \"openAccess\": {}}", "`openAccess` is not an array"),
      ("{\"version\": 1, \"openAccess\": true}", "`openAccess` is not an array"),
      ("{\"version\": 1, \"identities\": {\"a\": 0}}", "an identity is not a number from 70000"),
      ("{\"version\": 1, \"identities\": {\"a\": 70000, \"b\": 70000}}", "belongs to two"),
      ("{\"version\": 1, \"textReplacements\": [{}]}", "needs `userInput`"),
      ("{\"version\": 1, \"version\": 1}", ":1:"), ("{\"version\": 1} x", ":1:"),
      ("{\"version\": 1, \"services\": {\"a\": [\"microphone\"]}}", "is no service"),
      (
        "{\"version\": 1, \"place\": {\"latitude\": 91, \"longitude\": 0, \"accuracy\": 0}}",
        "no place"
      ),
      ("{\"version\": 1, \"place\": {\"latitude\": 1, \"longitude\": 0}}", "no place"),
      ("{\"version\": 1, \"appSettings\": {\"a\": {\"b\": null}}}", "a setting is a string"),
      ("{\"version\": 1, \"weakenings\": {\"a\": 1}}", "is not an array"),
    ])
  func damaged(_ text: String, _ expected: String) throws {
    try Files.makeDirectory(fixture.paths.configuration)
    try Files.write(text, to: fixture.paths.settingsFile)
    let message = storeFault { try store.load() }
    #expect(message.hasPrefix(fixture.paths.settingsFile + ":1:") || message.contains(":2:"))
    #expect(message.contains(expected))
    #expect(message.contains("kept as it is"))
    // No change goes through either, and none of them touches the file.
    #expect(storeFault { try fixture.choices.add("x", log: fixture.log) }.contains(expected))
    #expect(try Files.text(fixture.paths.settingsFile) == text)
  }

  @Test("a keyboard in two spellings that are one name is refused: one would hide the other")
  func spellings() {
    let text =
      #"{"version":1,"weakenings":{"\u00e9":["landlock"],"e\u0301":["seccomp"]}}"#
    let error = #expect(throws: JSONError.self) { try HostSettings(decoding: Array(text.utf8)) }
    #expect(error?.message.contains("stands twice") == true)
  }

  @Test("an unknown key is shown in one line, escaped and cut")
  func foreignKey() {
    let key = #"x\ny"# + String(repeating: "z", count: 100)
    let text = #"{"version":1,"\#(key)":1}"#
    let error = #expect(throws: JSONError.self) { try HostSettings(decoding: Array(text.utf8)) }
    let shown = key.prefix(57) + "…"
    #expect(error?.message == "the key `\(shown)` is not known")
  }

  @Test("a file that is a link, a folder or a FIFO is an error, and reading never waits")
  func special() throws {
    try Files.makeDirectory(fixture.paths.configuration)
    symlink("/dev/zero", fixture.paths.settingsFile)
    #expect(storeFault { try store.load() }.contains("Too many levels of symbolic links"))
    Files.remove(fixture.paths.settingsFile)
    mkfifo(fixture.paths.settingsFile, 0o600)
    #expect(storeFault { try store.load() }.contains("Invalid argument"))
    Files.remove(fixture.paths.settingsFile)
    try Files.makeDirectory(fixture.paths.settingsFile)
    #expect(storeFault { try store.load() }.contains(fixture.paths.settingsFile))
  }

  @Test("the file is the user's alone, and nothing else is left beside it")
  func permissions() throws {
    try fixture.install()
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    #expect(Files.mode(fixture.paths.settingsFile) == 0o600)
    #expect(Files.mode(fixture.paths.configuration) == 0o700)
    #expect(
      try Files.list(fixture.paths.configuration)
        == ["settings.json", "settings.json.lock"] + (1...4).map { "settings.json.reserve.\($0)" })
  }

  @Test("of many writers at once none loses its change")
  func concurrentWriters() throws {
    let count = 24
    let running = try (0..<count).map {
      try fixture.home.keyhost.start(["replacements", "add", "in\($0)", "out\($0)"])
    }
    for program in running {
      program.closeInput()
      #expect(program.finish().exitCode == 0)
    }
    let inputs = try store.load().textReplacements.map(\.userInput)
    #expect(Set(inputs) == Set((0..<count).map { "in\($0)" }))
    #expect(inputs.count == count)
  }

  @Test("a writer that holds the lock for ever is named, and nothing is changed")
  func busy() throws {
    try fixture.install()
    let lock = open(fixture.paths.settingsFile + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let message = storeFault { try fixture.choices.add(fixture.keyboard, log: fixture.log) }
    #expect(message.contains("another process has held"))
    #expect(try store.load().enabledPlugins == [])
  }
}
