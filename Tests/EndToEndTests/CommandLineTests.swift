import TestSupport
import Testing

/// What a wrong command line comes to.
@Suite("Command lines")
struct CommandLineTests {
  @Test(
    "a wrong command line does nothing, says what is wrong, and ends with status 2",
    arguments: [
      [], ["frobnicate"], ["apps"], ["apps", "frobnicate"], ["apps", "install"],
      ["apps", "install", "a", "b"], ["keyboards", "list", "--frobnicate"], ["grant"],
      ["type", "--field", "{}", "--field", "{}"], ["log", "--json=maybe"], ["--"], ["-x"],
      ["type", "--field-type", "hologram"], ["new"], ["new", "A", "--language", "cobol"],
      ["explain", "x"], ["apps", "list", "--help=yes"], ["\u{1B}[31m"],
    ])
  func wrongCommandLine(_ arguments: [String]) throws {
    let home = try TemporaryHome()
    let result = try home.keyhost.run(arguments)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.standardOutput.isEmpty, "\(result)")
    #expect(result.standardError.contains("--help"), "\(result)")
    expectPlainText(result.standardError)
    let made = try Files.tree(home.path).filter {
      !["config", "data", "state", "cache", "run", "work"].contains($0)
    }
    #expect(made.isEmpty, "\(made)")
  }
}
