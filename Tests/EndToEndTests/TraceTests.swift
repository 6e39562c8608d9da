import Glibc
import StrictJSON
import TestSupport
import Testing

/// `keyhost type --trace`, for authors.
@Suite("The trace of the protocol")
struct TraceTests {
  private static let keyboard = MisbehaviourTests.identifier

  @Test("shows each line in its direction, and the audit log says so without any of it")
  func shown() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let typed = try home.keyhost("type", "--trace", input: "hi")
    #expect(typed.standardOutput == "HI\n", "\(typed)")
    let lines = typed.standardError.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("keyhost: --trace: ") == true, "\(typed)")
    func place(_ parts: String...) -> Int? {
      lines.firstIndex { line in parts.allSatisfy { line.contains($0) } }
    }
    let order = [
      place(" -- \(Self.keyboard)#1 runs as process "),
      place(" -> \(Self.keyboard)#1 ", #""method":"initialize""#),
      place(" <- \(Self.keyboard)#1 ", #""protocolVersion": 1"#),
      place(" -> \(Self.keyboard)#1 ", #""method":"event""#, #""tap":"key h""#),
      place(" <- \(Self.keyboard)#1 ", #""insertText": "H""#),
      place(" -> \(Self.keyboard)#1 ", #""method":"exit""#),
      place(" -- \(Self.keyboard)#1 its process is ended"),
    ]
    #expect(!order.contains(nil), "\(order) in \(typed)")
    #expect(order.compactMap(\.self) == order.compactMap(\.self).sorted(), "\(typed)")

    let log = try home.keyhost("log", "--json").standardOutput
    #expect(log.components(containing: #""event":"traced""#).count == 1, "\(log)")
    let traced = try #require(log.firstRange(of: #""event":"traced""#))
    let launched = try #require(log.firstRange(of: #""event":"launch""#))
    #expect(traced.lowerBound < launched.lowerBound, "said before it is done")
    #expect(!log.contains("insertText") && !log.contains("HI"), "\(log)")
    _ = try home.keyhost("type", input: "x")
    let later = try home.keyhost("log", "--json", "--event", "traced")
    #expect(later.lines.count == 1, "a trace is of one run: \(later)")
  }

  @Test("goes to a new file of the user's own, as text or as JSON")
  func file() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let file = "\(home.work)/trace"
    let typed = try home.keyhost("type", "--trace-file", file, "--json", input: "h")
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(!typed.standardOutput.contains(#""event":"trace""#), "\(typed)")
    #expect(Files.mode(file).map { $0 & 0o777 } == 0o600)
    let text = try Files.text(file)
    var kinds: Set<String> = []
    var last: UInt64 = 0
    for line in text.split(separator: "\n") {
      let entry = try JSONDocument(parsing: Array(line.utf8)).root
      #expect(entry["event"]?.string == "trace" && entry["keyboard"]?.string == Self.keyboard)
      #expect(entry["instance"]?.int64 == 1)
      let time = try #require(entry["microseconds"]?.uint64)
      #expect(time >= last)
      last = time
      let kind = try #require(entry["kind"]?.string)
      kinds.insert(kind)
      guard kind != "note" else {
        #expect(entry["note"]?.string?.isEmpty == false)
        continue
      }
      let inner = try JSONDocument(parsing: Array((entry["line"]?.string ?? "").utf8)).root
      #expect(inner["jsonrpc"]?.string == "2.0")
    }
    #expect(kinds == ["note", "toKeyboard", "fromKeyboard"])

    // Nothing is overwritten, and no link followed.
    let link = "\(home.work)/link"
    #expect(symlink("\(home.work)/elsewhere", link) == 0)
    for path in [file, link] {
      let again = try home.keyhost("type", "--trace-file", path, input: "h")
      #expect(again.exitCode == 1 && again.standardError.contains(path), "\(again)")
    }
    #expect(try Files.text(file) == text)
    #expect(!Files.exists("\(home.work)/elsewhere"))
    let events = try home.keyhost("type", "--trace", "--json", input: "h")
    #expect(events.lines.contains { $0.hasPrefix(#"{"event":"trace","microseconds":"#) })
  }

  @Test("has nothing of a field that refuses the keyboard")
  func secret() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.plain)
    let run = try TypedRun.events(
      home,
      [
        #"{"open":"a"}"#, #"{"open":"b","text":"hunter1","field":{"isSecureTextEntry":true}}"#,
        #"{"focus":"a"}"#, #"{"type":"x"}"#, #"{"focus":"b"}"#, #"{"type":"hunter2"}"#,
        #"{"focus":"a"}"#, #"{"type":"y"}"#,
      ], "--trace-file", "\(home.work)/trace")
    #expect(run.texts == ["a": "xy", "b": "hunter1hunter2"], "\(run.result)")
    let trace = try Files.text("\(home.work)/trace")
    #expect(!trace.contains("hunter") && !trace.contains("Secure"), "\(trace)")
    #expect(
      trace.contains(#""note":"stands still""#) && trace.contains(#""note":"goes on""#), "\(trace)")
  }

  @Test("has nothing of the instance that serves an incognito field")
  func incognito() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.plain)
    // On a busy machine an instance may not have started when the keys come.
    for attempt in 0..<20 {
      let file = "\(home.work)/trace \(attempt)"
      let run = try TypedRun.events(
        home,
        [
          #"{"open":"a"}"#, #"{"open":"card","field":{"textContentType":"creditCardNumber"}}"#,
          #"{"focus":"a"}"#, #"{"type":"7"}"#, #"{"focus":"card"}"#, #"{"type":"4111"}"#,
        ], "--trace-file", file)
      #expect(run.texts == ["a": "7", "card": "4111"], "\(run.result)")
      let served = ["a", "card"].map { run.handlers(of: $0) }
      guard served.allSatisfy({ $0 == [Self.keyboard] }) else { continue }
      let trace = try Files.text(file)
      #expect(trace.contains(#"\"tap\":\"key 7\""#), "the ordinary one is there: \(trace)")
      #expect(!trace.contains("creditCard") && !trace.contains(#"\"key 4\"}"#), "\(trace)")
      #expect(!trace.contains(#""instance":2"#), "\(trace)")
      return
    }
    Issue.record("no instance is ever in time")
  }

  @Test("whatever a keyboard writes moves no cursor and begins no line")
  func hostile() throws {
    let home = try MisbehaviourTests.home(
      PythonKeyboard.script(
        """
        def shout(request):
            write(b"\\x1b]0;t\\x07\\xff\\xe2\\x80\\xae0.0 -> forged\\x0b {}\\n")
        serve(shout)
        """))
    for options in [["--trace"], ["--trace-file", "\(home.work)/trace"]] {
      let typed = try home.keyhost.run(["type"] + options, input: Array("a".utf8))
      #expect(typed.standardOutput == "a\n", "\(typed)")
      let trace = options.count == 1 ? typed.standardError : try Files.text(options[1])
      expectPlainText(trace)
      #expect(trace.contains(#"#1 \u{1b}]0;t\u{7}"#), "\(trace)")
      #expect(trace.contains(" this is not of the protocol: "), "\(trace)")
      #expect(!trace.split(separator: "\n").contains { $0.hasPrefix("0.0 -> forged") })
    }
  }

  @Test("is not made where the audit log cannot say so")
  func unrecorded() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.plain)
    Files.remove("\(home.path)/state/keyhost")
    try Files.write("in the way", to: "\(home.path)/state/keyhost")
    let typed = try home.keyhost("type", "--trace", input: "a")
    #expect(typed.exitCode == 1, "\(typed)")
    #expect(typed.standardError.contains("audit log"), "\(typed)")
    #expect(typed.standardOutput.isEmpty, "\(typed)")
  }

  @Test("help enable says what keyboards how-to says")
  func helpEnable() throws {
    let home = try TemporaryHome()
    try home.expectSuccess("apps", "install", "\(Products.bundles)/Habra.app")
    let keyboard = "org.keyhost.examples.habra.keyboard"
    for more in [[], ["--json"]] {
      let howTo = try home.keyhost.run(["keyboards", "how-to", keyboard] + more)
      let help = try home.keyhost.run(["help", "enable", keyboard] + more)
      #expect(howTo.exitCode == 0 && help.standardOutput == howTo.standardOutput, "\(help)")
    }
    let without = try home.keyhost("help", "enable")
    #expect(without.exitCode == 2 && without.standardError.contains("KEYBOARD"), "\(without)")
    #expect(try home.keyhost("help", "enabel").standardError.contains("`enable`"))
  }
}
