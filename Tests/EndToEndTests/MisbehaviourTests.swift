import TestSupport
import Testing

/// Whatever a keyboard does, the text typed comes out complete and in order, and the log says what
/// happened.
@Suite("Misbehaving keyboards")
struct MisbehaviourTests {
  static let identifier = "org.example.fixture.keyboard"
  static let text = "the quick brown fox jumps"

  @Test("the text comes out complete and in order", arguments: Misbehaviour.all)
  func theTextIsWhole(_ misbehaviour: Misbehaviour) throws {
    let home = try Self.home(PythonKeyboard.script(misbehaviour.body))
    let typed = try home.keyhost("type", "--keyboard", Self.identifier, input: Self.text)
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.lines == [Self.text], "\(typed)")
    expectPlainText(typed.standardError)

    let log = try home.keyhost("log", "--json")
    #expect(log.exitCode == 0, "\(log)")
    #expect(
      misbehaviour.log.contains { log.standardOutput.contains("\"\($0)\"") },
      "none of \(misbehaviour.log) in\n\(log)")
    // Never the text of a field.
    #expect(!log.standardOutput.contains("quick"), "\(log)")
  }

  @Test("what is harmless does not cost the keyboard its place", arguments: Misbehaviour.harmless)
  func harmlessBehaviour(_ behaviour: Misbehaviour) throws {
    let home = try Self.home(PythonKeyboard.script(behaviour.body))
    let typed = try home.keyhost("type", "--keyboard", Self.identifier, input: Self.text)
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.lines == [Self.text], "\(typed)")
    expectPlainText(typed.standardOutput + typed.standardError)
    let log = try home.keyhost("log", "--json")
    for kind in ["protocolError", "fallback", "launchFailed", "lateAnswer"] {
      #expect(!log.standardOutput.contains("\"\(kind)\""), "\(log)")
    }
  }

  /// A home in which the script is the one enabled keyboard.
  static func home(_ script: String, requestsOpenAccess: Bool = false) throws -> TemporaryHome {
    let home = try TemporaryHome()
    let app = try FixtureApp(keyboards: [
      FixtureKeyboard(
        identifier: identifier, script: script, requestsOpenAccess: requestsOpenAccess)
    ]).write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    try #require(installed.exitCode == 0, "\(installed)")
    let added = try home.keyhost("keyboards", "add", identifier)
    try #require(added.exitCode == 0, "\(added)")
    return home
  }
}
