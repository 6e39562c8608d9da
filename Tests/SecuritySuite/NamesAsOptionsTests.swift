import Glibc
import TestSupport
import Testing

/// What bundles, paths and keyboards are called is data: it is no option, no pattern, no variable,
/// no path to somewhere else and no word for the terminal.
@Suite("Names are no options", .serialized)
struct NamesAsOptionsTests {
  private static let hostile = [
    "-rf", "--help", "--json", "-", "--", "a b", "a\nb", "a\tb", "${HOME}", "$(touch pwned)",
    "`touch pwned`", "; touch pwned", "*", "?", "[a-z]", "%s%n", "\u{1B}]0;pwned\u{7}", "a\u{0}b",
    "\u{202E}gnp", "..", ".", "../../pwned", "/tmp/pwned", "a/../../b", "~root", "a\\b", "",
    String(repeating: "x", count: 300),
  ]

  private static func text(_ word: String) -> String {
    // XML has no way to say most control characters; as a reference a reader could take them.
    word.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" } ? "" : word
  }

  @Test("an identifier that is none is refused, and nothing of it is left", arguments: hostile)
  func identifiers(_ word: String) throws {
    for identifier in [word, "org.example.\(word)", "\(word).keyboard"] {
      let home = try TemporaryHome()
      let app = try FixtureApp(
        identifier: identifier, name: "Fixture",
        keyboards: [
          FixtureKeyboard(
            identifier: "\(identifier).keyboard", script: PythonKeyboard.plain)
        ]
      ).write(to: home.work)
      let installed = try home.keyhost("apps", "install", app)
      expectPlainText(installed.standardOutput + installed.standardError)
      if installed.exitCode == 0 {
        // A name like any other after all: it is where it belongs, and nowhere else.
        #expect(identifier.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" })
        #expect(!identifier.hasPrefix("-") && !identifier.hasPrefix("."), "\(identifier)")
        continue
      }
      #expect(installed.exitCode == 1, "\(identifier.debugDescription): \(installed)")
      #expect(!installed.standardError.isEmpty)
      let left = try Files.tree("\(home.path)/data").filter { $0.contains("apps/") }
      #expect(left.isEmpty, "\(left)")
      Self.expectNothingRan(home)
    }
  }

  @Test("a path may be called anything, and is that path", arguments: hostile)
  func paths(_ word: String) throws {
    guard !word.isEmpty, !word.contains("/"), !word.contains("\0"), word != ".", word != "..",
      word.utf8.count < 200
    else { return }
    let home = try TemporaryHome()
    let app = FixtureApp(
      name: word,
      keyboards: [
        FixtureKeyboard(
          identifier: TemporaryHome.identifier("one"), script: PythonKeyboard.shouting)
      ]
    )
    var plain = app
    plain.propertyList = FixtureApp(keyboards: []).propertyList
    let path = try plain.write(to: home.work)
    // As an argument of its own, which begins with a slash; and as one that begins as it likes.
    var program = home.keyhost
    program.workingDirectory = home.work
    let installed = try program.run("apps", "install", "--", "\(word).app")
    #expect(installed.exitCode == 0, "\(path.debugDescription): \(installed)")
    expectPlainText(installed.standardOutput + installed.standardError)
    try home.expectSuccess("keyboards", "add", TemporaryHome.identifier("one"))
    #expect(try home.keyhost("type", input: "ab").standardOutput == "AB\n")
    Self.expectNothingRan(home)
  }

  @Test(
    "an executable may be called anything that a file is, and is not an option", arguments: hostile)
  func executables(_ word: String) throws {
    let home = try TemporaryHome()
    guard !word.contains("/"), !word.isEmpty, word != ".", word != "..", word.utf8.count < 200,
      !Self.text(word).isEmpty
    else { return }
    var keyboard = FixtureKeyboard(
      identifier: TemporaryHome.identifier("one"), name: "One", script: PythonKeyboard.shouting)
    keyboard.executableName = word
    keyboard.propertyList = keyboard.propertyList.setting("CFBundleExecutable", to: .string(word))
    let app = try FixtureApp(keyboards: [keyboard]).write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    expectPlainText(installed.standardOutput + installed.standardError)
    if installed.exitCode == 0 {
      try home.expectSuccess("keyboards", "add", TemporaryHome.identifier("one"))
      #expect(try home.keyhost("type", input: "ab").standardOutput == "AB\n", "\(word)")
    } else {
      #expect(installed.exitCode == 1, "\(installed)")
    }
    Self.expectNothingRan(home)
  }

  @Test("a keyboard's name on the command line is no option and no path", arguments: hostile)
  func arguments(_ word: String) throws {
    guard !word.contains("\0") else { return }
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.plain])
    let before = try Files.tree("\(home.path)/data")
    for command in [
      ["keyboards", "add", "--", word], ["keyboards", "remove", "--", word],
      ["grant", "--", word, "open-access"], ["apps", "remove", "--", word],
    ] {
      let result = try home.keyhost.run(command)
      #expect(result.exitCode == 1 || result.exitCode == 2, "\(command): \(result)")
      expectPlainText(result.standardOutput + result.standardError)
    }
    #expect(try Files.tree("\(home.path)/data") == before)
    Self.expectNothingRan(home)
  }

  @Test("what a bundle calls itself cannot play with the terminal, in any list or log")
  func displayNames() throws {
    let home = try TemporaryHome()
    let name = "\u{202E}gnp.\u{2066}\u{9B}31m ${HOME} --json\u{85}"
    var keyboard = FixtureKeyboard(
      identifier: TemporaryHome.identifier("one"), name: "One", script: PythonKeyboard.plain)
    keyboard.propertyList = keyboard.propertyList.setting(
      "CFBundleDisplayName", to: .string(name))
    let app = try FixtureApp(keyboards: [keyboard]).write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    expectPlainText(installed.standardOutput + installed.standardError)
    guard installed.exitCode == 0 else { return }
    try home.expectSuccess("keyboards", "add", TemporaryHome.identifier("one"))
    for command in [
      ["apps", "list"], ["keyboards", "list"], ["type"], ["log"], ["explain"],
    ] {
      let result = try home.keyhost.run(command, input: Array("a".utf8))
      expectPlainText(result.standardOutput + result.standardError)
    }
  }

  /// Nothing that a shell would have done has been done.
  private static func expectNothingRan(_ home: TemporaryHome) {
    let made = (try? Files.tree(home.path)) ?? []
    #expect(!made.contains { $0.hasSuffix("pwned") && !$0.contains("PlugIns") }, "\(made)")
    #expect(!Files.exists("/tmp/pwned"))
  }
}
