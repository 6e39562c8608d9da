import TestSupport
import Testing

/// The system keyboard as a person has it: settings by commands, keys by scripts.
@Suite("The system keyboard, end to end")
struct SystemKeyboardTests {
  private static func lines(_ fields: String = "", _ steps: String...) -> [String] {
    [#"{"open":"a"\#(fields)}"#, #"{"focus":"a"}"#] + steps
  }

  @Test("types by its rules, is told otherwise, and says what is in force")
  func settings() throws {
    let home = try TemporaryHome()
    #expect(try home.keyhost("replacements", "add", "omw", "on my way").exitCode == 0)
    let steps = Self.lines("", #"{"keys":"omw  \"it's\"--ok"}"#)
    var run = try TypedRun.events(home, steps)
    #expect(run.texts == ["a": "On my way. “It’s”—ok"], "\(run.result)")
    for setting in [
      "smartQuotes", "textReplacement", "autocorrection", "doubleSpaceFullStop", "capitalization",
    ] {
      #expect(try home.keyhost("settings", "system", setting, "off").exitCode == 0)
    }
    #expect(try home.keyhost("settings", "system", "smartQuotes").standardOutput == "off\n")
    run = try TypedRun.events(home, steps)
    #expect(run.texts == ["a": "omw  \"it's\"—ok"], "\(run.result)")
    let shown = try home.keyhost("settings", "system", "--json")
    #expect(shown.standardOutput.contains(#""smartQuotes":false,"smartDashes":true"#), "\(shown)")
    #expect(try home.keyhost("settings", "system", "smartQuotes", "--reset").exitCode == 0)
    #expect(try home.keyhost("settings", "system", "smartQuotes").standardOutput == "on\n")
    #expect(try home.keyhost("settings", "system", "capitalization").standardOutput == "off\n")
    #expect(try home.keyhost("settings", "system", "--reset").exitCode == 0)
    #expect(try home.keyhost("settings", "system", "capitalization").standardOutput == "on\n")
  }

  @Test("a setting that is none, and a value that is none, are wrong use")
  func wrongUse() throws {
    let home = try TemporaryHome()
    #expect(try home.keyhost("settings", "system", "smartQuote").exitCode == 2)
    #expect(try home.keyhost("settings", "system", "smartQuotes", "maybe").exitCode == 2)
    #expect(try home.keyhost("settings", "org.example").exitCode == 1)
    #expect(try home.keyhost("settings").exitCode == 2)
  }

  @Test("a script shakes, drags, and asks for bold text")
  func commands() throws {
    let home = try TemporaryHome()
    let run = try TypedRun.events(
      home,
      Self.lines(
        #","field":{"allowsEditingTextAttributes":true}"#, #"{"keys":"one two"}"#,
        #"{"shake":true}"#, #"{"answerUndo":"undo"}"#, #"{"drag":[-18,0]}"#, #"{"drag":null}"#,
        #"{"keys":"!"}"#, #"{"format":"bold"}"#))
    #expect(run.texts == ["a": "On!e "], "\(run.result)")
    #expect(run.result.exitCode == 0, "\(run.result)")
    let output = run.result.standardOutput
    #expect(output.contains(#""undoPrompt":{"canUndo":true,"canRedo":false}"#), "\(run.result)")
    #expect(output.contains(#"{"event":"format","document":"a","format":"bold"}"#), "\(run.result)")
  }

  @Test("a key that is not there is told, and the rest is typed")
  func noKey() throws {
    let home = try TemporaryHome()
    let run = try TypedRun.events(home, Self.lines("", #"{"keys":"aßb"}"#))
    #expect(run.texts == ["a": "Ab"] && run.result.exitCode == 1, "\(run.result)")
    #expect(run.result.standardError.contains("has no key for `ß`"), "\(run.result)")
  }

  @Test("corrects with the installed dictionary, suggests, and does without where there is none")
  func words() throws {
    let home = try TemporaryHome()
    try #require(try home.keyhost("replacements", "add", "brb", "be right back").exitCode == 0)
    let run = try TypedRun.events(
      home,
      Self.lines(
        #","field":{"autocapitalizationType":"none"}"#, #"{"keys":"teh recieve "}"#,
        #"{"keys":"\b"}"#, #"{"keys":"brb"}"#, #"{"suggestion":"be right back","index":0}"#))
    #expect(run.texts == ["a": "the recieve be right back "], "\(run.result)")
    #expect(run.result.standardOutput.contains(#""suggestions":["teh","the""#), "\(run.result)")
    try #require(try home.keyhost("settings", "system", "language", "tlh").exitCode == 0)
    let none = try TypedRun.events(home, Self.lines("", #"{"keys":"teh "}"#))
    #expect(none.texts == ["a": "Teh "] && none.result.exitCode == 0, "\(none.result)")
    let doctor = try home.keyhost("doctor", "--json")
    #expect(doctor.standardOutput.contains("no dictionary for `tlh`"), "\(doctor)")
  }
}
