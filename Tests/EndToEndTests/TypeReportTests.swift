import StrictJSON
import TestSupport
import Testing

/// What `keyhost type` says beside the text: on the standard error output, and as JSON.
@Suite("What type reports")
struct TypeReportTests {
  private func events(_ result: ProgramResult) throws -> [JSONValue] {
    try result.lines.map { try JSONDocument(parsing: $0).root }
  }

  @Test("a line that cannot be read gives the focus up, and says so, also as JSON")
  func unreadableLine() throws {
    let home = try TemporaryHome()
    let script = [
      #"{"open":"a"}"#, #"{"focus":"a"}"#, #"{"type":"one"}"#, #"{"focus":"b"#,
      #"{"type":"secret"}"#, #"{"focus":"a"}"#, #"{"type":" two"}"#,
    ].joined(separator: "\n")
    let plain = try home.keyhost("type", "--events", input: script)
    #expect(plain.exitCode == 1 && plain.standardOutput == "a: one two\n", "\(plain)")
    let said = plain.standardError
    #expect(said.contains("line 4 is not an event, and is skipped (column"), "\(plain)")
    #expect(said.contains("nothing is typed before the next \"focus\""), "\(plain)")
    #expect(said.contains("no document has focus, so that what was typed"), "\(plain)")
    let json = try home.keyhost("type", "--events", "--json", input: script)
    let rejected = try events(json).filter { $0["event"]?.string == "rejected" }
      .compactMap { $0["message"]?.string }
    // Each character that was lost, and the line.
    #expect(rejected.count == 7 && rejected.first?.contains("line 4") == true, "\(json)")
    for message in rejected { #expect(json.standardError.contains(message), "\(message)") }
  }

  @Test("a document's text is printed when it is closed, and the texts are the last")
  func texts() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let script = [
      #"{"open":"a"}"#, #"{"open":"b"}"#, #"{"focus":"a"}"#, #"{"type":"one"}"#,
      #"{"close":"a"}"#, #"{"focus":"b"}"#, #"{"type":"two"}"#,
    ].joined(separator: "\n")
    let plain = try home.keyhost("type", "--events", input: script)
    #expect(plain.standardOutput == "a: ONE\nb: TWO\n", "\(plain)")
    let json = try home.keyhost("type", "--events", "--json", input: script)
    let run = try TypedRun(json)
    #expect(run.texts == ["a": "ONE", "b": "TWO"], "\(json)")
    #expect(try events(json).last?["event"]?.string == "text", "\(json)")
  }

  @Test("a keyboard that failed is said to have something to show, unless it is shown")
  func failure() throws {
    let home = try MisbehaviourTests.home("#!/usr/bin/python3\nraise RuntimeError('because')\n")
    let plain = try home.keyhost("type", input: "a")
    #expect(plain.standardOutput == "a\n")
    #expect(plain.standardError.contains("`--show-output` shows what it printed"), "\(plain)")
    let shown = try home.keyhost("type", "--show-output", input: "a")
    #expect(!shown.standardError.contains("`--show-output`"), "\(shown)")
    #expect(shown.standardError.contains("because"), "\(shown)")
    // What ended it stands in the log before what came of it.
    let log = try home.keyhost("log", "--json").lines
      .compactMap { try JSONDocument(parsing: $0).root["event"]?.string }
    let restart = try #require(log.firstIndex(of: "restart"), "\(log)")
    #expect(log[..<restart].contains("exit"), "\(log)")
  }

  @Test("a sandbox that lacks a layer, as was allowed, is said to; a whole one is not")
  func weaker() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let typed = try home.keyhost("type", "--allow-weaker", "landlock", input: "a")
    #expect(typed.standardOutput == "A\n")
    let launch = try home.keyhost("log", "--json", "--event", "launch").standardOutput
    // Where the kernel has the layer it is in force all the same.
    #expect(
      typed.standardError.contains("runs in a weaker sandbox")
        == launch.contains("\"landlock\":\"unavailable"), "\(typed) \(launch)")
    #expect(typed.standardError.contains("--allow-weaker landlock"), "\(typed)")
  }
}
