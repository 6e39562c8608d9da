import Glibc
import Testing

@testable import CommandLineInterface

/// What a console wrote to its two outputs.
private func capture(_ body: (Console) throws -> Void) throws -> (output: String, errors: String) {
  func read(_ descriptor: Int32) -> String {
    lseek(descriptor, 0, SEEK_SET)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return String(decoding: buffer[..<Glibc.read(descriptor, &buffer, buffer.count)], as: UTF8.self)
  }
  let files = [tmpfile()!, tmpfile()!]
  defer { for file in files { fclose(file) } }
  try body(Console(output: fileno(files[0]), errorOutput: fileno(files[1]), input: -1))
  return (read(fileno(files[0])), read(fileno(files[1])))
}

@Suite("The console")
struct ConsoleTests {
  @Test("nothing that is printed can play with the terminal")
  func safe() throws {
    let (output, errors) = try capture { console in
      try console.print("a\u{1b}[31m\u{202e}b\r\nc\td")
      console.printError("x\u{9b}y")
    }
    #expect(output == "a\\u{1b}[31m\\u{202e}b\\r\\nc\td\n")
    #expect(errors == "x\\u{9b}y\n")
  }

  @Test("where nobody can be asked there is no answer")
  func noTerminal() throws {
    let (_, errors) = try capture { console in
      let answer = try console.confirm("Well?")
      #expect(answer == nil)
    }
    #expect(errors == "")
  }

  @Test(
    "an answer from a pipe counts, and one that is none is an error",
    arguments: [
      ("", nil), ("\n", true), ("y\n", true), ("YES\n", true), ("n\n", false), ("no", false),
    ] as [(String, Bool?)])
  func pipedAnswer(_ text: String, _ answer: Bool?) throws {
    #expect(try ask(text) == answer)
  }

  @Test("an answer that is neither yes nor no is not taken for one")
  func unclearAnswer() throws {
    let fault = #expect(throws: UsageError.self) { try ask("\u{1b}maybe\nn\n") }
    #expect(fault?.message.contains("`\\u{1b}maybe`") == true)
  }

  private func ask(_ text: String) throws -> Bool? {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    close(ends[1])
    return try Console(output: -1, errorOutput: -1, input: ends[0]).confirm("Well?")
  }

  @Test("a full disk is an error of its own, and the program's exit code says so")
  func fullDisk() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let console = Console(output: full, errorOutput: full, input: -1)
    #expect(throws: OutputError(code: ENOSPC)) { try console.print("x") }
    let program = Program(name: "tool", version: "1", abstract: "A.", commands: [])
    #expect(program.run(["--version"], console: console) == .failure)
  }

  @Test("a program's exit code tells wrong use, failure and success apart")
  func exitCodes() throws {
    struct Failure: Error {}
    struct Nonsense: Error {}
    let program = Program(
      name: "tool", version: "1", abstract: "A.",
      commands: [
        Command("good", abstract: "A.", action: { _, _ in .success }),
        Command("refused", abstract: "A.", action: { _, _ in .failure }),
        Command("throws", abstract: "A.", action: { _, _ in throw Failure() }),
        Command("nonsense", abstract: "A.", action: { _, _ in throw Nonsense() }),
        Command("usage", abstract: "A.", action: { _, _ in throw UsageError("no") }),
      ], isUsageFault: { $0 is Nonsense })
    let (output, errors) = try capture { console in
      #expect(program.run(["good"], console: console) == .success)
      #expect(program.run(["refused"], console: console) == .failure)
      #expect(program.run(["throws"], console: console) == .failure)
      #expect(program.run(["nonsense"], console: console) == .usage)
      #expect(program.run(["usage"], console: console) == .usage)
      #expect(program.run(["bad"], console: console) == .usage)
      #expect(program.run([], console: console) == .usage)
    }
    #expect(output == "")
    #expect(
      errors == """
        tool: Failure()
        tool: Nonsense()
        `tool nonsense --help` tells how to use it.
        tool: no
        `tool usage --help` tells how to use it.
        tool: unknown command `bad`
        `tool --help` tells how to use it.
        tool: a command is missing
        `tool --help` tells how to use it.

        """)
  }
}
