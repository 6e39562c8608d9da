import Glibc
import StrictJSON
import TestSupport
import Testing

/// With 3 nobody may trace; the host itself could not do its work then.
private var isTracingAllowed: Bool {
  (try? Files.text("/proc/sys/kernel/yama/ptrace_scope"))?.first != "3"
}

/// `keyhost type --debug`: a real debugger takes hold of a keyboard in its sandbox, from outside.
@Suite(
  "A debugger on a keyboard",
  .enabled(if: Files.exists("/usr/bin/gdb"), "gdb is not installed"),
  .enabled(if: isTracingAllowed, "kernel.yama.ptrace_scope forbids it"))
struct DebuggerTests {
  private static let keyboard = MisbehaviourTests.identifier
  private static let gdb = Program("/usr/bin/gdb", deadline: 60)

  private static let ignoresStop = "handle SIGSTOP nostop noprint nopass"

  /// A run that traces, so that the test learns the keyboard's process.
  private func start(_ home: TemporaryHome, _ arguments: String...) throws -> RunningProgram {
    try home.keyhost.start(["type", "--json", "--trace", "--debug", Self.keyboard] + arguments)
  }

  private func process(in run: RunningProgram, after: String? = nil) throws -> String {
    let marker = "runs as process "
    while let line = run.readLine() {
      guard let place = line.firstRange(of: marker) else { continue }
      let number = String(line[place.upperBound...].prefix { $0.isNumber })
      if number != after { return number }
    }
    throw TemporaryHome.CommandFailure(description: "no process was named: \(run.finish())")
  }

  private func attach(_ process: String, _ commands: String...) throws -> ProgramResult {
    let result = try Self.gdb.run(
      ["-q", "-batch", "-nx", "-iex", "set sysroot /", "-ex", Self.ignoresStop, "-p", process]
        + commands.flatMap { ["-ex", $0] })
    #expect(result.exitCode == 0, "\(result)")
    return result
  }

  @Test("it waits at its start, gets the time it takes, and goes on where it is let go")
  func attached() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try start(home)
    run.send(Array("hi".utf8))
    run.closeInput()
    let process = try process(in: run)
    // Longer than a keyboard may take to start.
    usleep(2_500_000)
    #expect(try Files.text("/proc/\(process)/status").contains("State:\tT (stopped)"))
    let gdb = try attach(
      process, "info proc exe", "p $pc != 0", "catch syscall read", "continue", "shell sleep 2.5",
      "info registers rip", "detach")
    #expect(gdb.standardOutput.contains("Catchpoint 1 (call to syscall read)"), "\(gdb)")
    let result = run.finish()
    #expect(result.exitCode == 0, "\(result)")
    let typed = try TypedRun(result)
    #expect(typed.texts == ["document": "HI"], "\(result)")
    #expect(typed.handled.allSatisfy { $0.handler == Self.keyboard }, "\(result)")
    for note in ["stopped before its first instruction", "gdb -iex", " has Fixture", "nobody has "]
    {
      #expect(result.standardError.contains(note), "\(result)")
    }
    let log = try home.keyhost("log", "--json").standardOutput
    let weakened = log.components(containing: #""event":"weakened""#)
    #expect(weakened.count == 1 && weakened[0].contains(#""debugger":true"#), "\(log)")
    #expect(log.components(containing: #""event":"launch""#)[0].contains(#""debugger":true"#))
    #expect(!log.contains(#""event":"restart""#) && !log.contains("fallback"), "\(log)")

    // It was for that run alone.
    #expect(try home.keyhost("type", input: "ho").standardOutput == "HO\n")
    let later = try home.keyhost("log", "--json", "--event", "weakened")
    #expect(later.lines.count == 1, "\(later)")
  }

  @Test("its sandbox is the one that it has without a debugger")
  func sandbox() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.plain)
    _ = try home.keyhost("type", input: "a")
    let run = try start(home)
    run.send(Array("a".utf8))
    run.closeInput()
    _ = try attach(try process(in: run), "detach")
    let result = run.finish()
    #expect(result.exitCode == 0, "\(result)")
    let launches = try home.keyhost("log", "--json", "--event", "launch").lines.map {
      try JSONDocument(parsing: Array($0.utf8)).root
    }
    try #require(launches.count == 2)
    for member in ["layers", "policy", "files", "openAccess"] {
      let both = launches.map { $0[member].map { String(decoding: $0.source, as: UTF8.self) } }
      #expect(both[0] != nil && both[0] == both[1], "\(member)")
    }
  }

  @Test("a field that refuses it ends it, and it waits again in the next")
  func refused() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let run = try start(home, "--events")
    run.send(line: #"{"open":"a"}"#)
    run.send(line: #"{"open":"b","field":{"isSecureTextEntry":true}}"#)
    run.send(line: #"{"focus":"a"}"#)
    run.send(line: #"{"type":"x"}"#)
    let first = try process(in: run)
    let gdb = try Self.gdb.start(
      ["-q", "-batch", "-nx", "-ex", Self.ignoresStop, "-p", first, "-ex", "continue"])
    run.send(line: #"{"focus":"b"}"#)
    run.send(line: #"{"type":"secret"}"#)
    run.send(line: #"{"focus":"a"}"#)
    run.send(line: #"{"type":"y"}"#)
    let second = try process(in: run, after: first)
    _ = try attach(second, "detach")
    run.closeInput()
    let result = run.finish()
    let typed = try TypedRun(result)
    #expect(typed.texts == ["a": "XY", "b": "secret"], "\(result)")
    #expect(typed.handlers(of: "b") == ["system"], "\(result)")
    #expect(gdb.finish().exitCode == 0)
    let log = try home.keyhost("log", "--json").standardOutput
    #expect(!log.contains(#""event":"restart""#), "it did nothing wrong: \(log)")
  }

  @Test("only an enabled keyboard, and no other beside it, can be debugged")
  func wrongUse() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.plain)
    for id in ["org.example.none", "system"] {
      let none = try home.keyhost("type", "--debug", id, input: "a")
      #expect(none.exitCode == 1 && none.standardError.contains(id), "\(none)")
    }
    let two = try home.keyhost("type", "--debug", Self.keyboard, "--keyboard", "system", input: "a")
    #expect(two.exitCode == 2, "\(two)")
    #expect(try home.keyhost("log", "--json", "--event", "weakened").lines.isEmpty)
  }
}
