import Testing

@testable import CommandLineInterface

private let program = Program(
  name: "tool", version: "1.2.3", abstract: "Does things.", discussion: ["Exit codes: 0 or 1."],
  commands: [
    Command(
      "things", abstract: "Work with things.",
      subcommands: [
        Command(
          "add", abstract: "Add a thing.",
          discussion: [
            """
            A thing is added at the end of all the others unless a place for it is given, and \
            then there.
            """, "  tool things add a --place 1",
          ],
          arguments: [
            Argument("THING", "The thing."), Argument("NOTE", isOptional: true, "A note."),
          ],
          options: [
            .value("place", "N", "Where it goes."),
            .value("color", "COLOR", choices: ["red", "green"], "Its colour."),
            .value("tag", "TAG", isRepeatable: true, "A tag."), .flag("force", "Even so."), .json,
          ],
          action: { _, _ in .success }),
        Command("list", abstract: "List.", options: [.json], action: { _, _ in .success }),
      ]),
    Command(
      "echo", abstract: "Echo.",
      arguments: [Argument("WORD", isOptional: true, isRepeated: true, "Words.")],
      action: { _, _ in .success }),
  ])

private func parse(_ words: String...) throws -> CommandLineParser.Outcome {
  try CommandLineParser(program: program).parse(words)
}

private func fault(_ words: String...) -> String {
  do {
    return "understood: \(try CommandLineParser(program: program).parse(words))"
  } catch { return "\(error)" }
}

private func invocation(_ words: String...) throws -> Invocation {
  guard case .run(let invocation) = try CommandLineParser(program: program).parse(words) else {
    throw UsageError("not a run")
  }
  return invocation
}

@Suite("Command lines")
struct CommandLineParserTests {
  @Test("options stand anywhere after the command, with a space or an equals sign")
  func options() throws {
    let first = try invocation("things", "add", "--place", "3", "a", "--force", "b", "--json")
    #expect(first.path == ["things", "add"])
    #expect(first.value("place") == "3")
    #expect(first.has("force") && first.wantsJSON)
    #expect(first.argument("THING") == "a")
    #expect(first.optionalArgument("NOTE") == "b")
    let second = try invocation(
      "things", "add", "a", "--place=-3", "--tag=x=y", "--tag", "z", "--tag=")
    #expect(second.value("place") == "-3")
    #expect(second.values("tag") == ["x=y", "z", ""])
    #expect(second.optionalArgument("NOTE") == nil)
  }

  @Test("after -- nothing is an option, and a lone - is an argument")
  func doubleDash() throws {
    let words = try invocation("echo", "-", "--", "--json", "--", "--help")
    #expect(words.arguments("WORD") == ["-", "--json", "--", "--help"])
    #expect(try invocation("things", "add", "--", "-rf").argument("THING") == "-rf")
    #expect(try invocation("echo").arguments("WORD") == [])
  }

  @Test("a number below zero is a value, for the command to judge")
  func negativeNumbers() throws {
    #expect(try invocation("echo", "-1", "-20").arguments("WORD") == ["-1", "-20"])
    #expect(try invocation("things", "add", "a", "--place", "-3").value("place") == "-3")
    #expect(fault("things", "add", "-1x") == "unknown option `-1x`")
    #expect(
      fault("things", "add", "a", "--place", "--3") == "`--place` needs a value: write `--place=N`")
  }

  @Test("help is found in each of its places")
  func help() throws {
    #expect(try parse("--help") == .help([]))
    #expect(try parse("-h") == .help([]))
    #expect(try parse("help") == .help([]))
    #expect(try parse("help", "things") == .help(["things"]))
    #expect(try parse("help", "things", "add") == .help(["things", "add"]))
    #expect(try parse("things", "--help") == .help(["things"]))
    #expect(try parse("things", "add", "--place", "1", "--help") == .help(["things", "add"]))
    #expect(try parse("things", "add", "-h") == .help(["things", "add"]))
    #expect(try parse("--version") == .version)
  }

  @Test("what is wrong is said, with what was probably meant")
  func faults() {
    #expect(fault() == "a command is missing")
    #expect(fault("things") == "a subcommand is missing: one of `add`, `list`")
    #expect(fault("thigns") == "unknown command `thigns`; did you mean `things`?")
    #expect(fault("hlep") == "unknown command `hlep`; did you mean `help`?")
    #expect(fault("zzzzzz") == "unknown command `zzzzzz`")
    #expect(fault("things", "lst") == "unknown command `lst`; did you mean `list`?")
    #expect(fault("help", "thing") == "unknown command `thing`; did you mean `things`?")
    #expect(fault("--jsno") == "unknown option `--jsno`")
    #expect(
      fault("things", "add", "a", "--jsno") == "unknown option `--jsno`; did you mean `--json`?")
    #expect(fault("things", "add", "-f") == "unknown option `-f`")
    #expect(fault("things", "add") == "the argument THING is missing")
    #expect(fault("things", "add", "a", "b", "c") == "unexpected argument `c`")
    #expect(
      fault("things", "add", "a", "--place") == "`--place` needs a value: write `--place=N`")
    #expect(
      fault("things", "add", "a", "--place", "--json")
        == "`--place` needs a value: write `--place=N`")
    #expect(fault("things", "add", "a", "--force=yes") == "`--force` takes no value")
    #expect(fault("things", "add", "a", "--json", "--json") == "`--json` is given twice")
    #expect(
      fault("things", "add", "a", "--color", "gren")
        == "`--color` is `gren`, which is not one of `red`, `green`; did you mean `green`?")
  }

  @Test("what is repeated of the command line cannot play with the terminal")
  func escaped() {
    #expect(fault("\u{1b}[2J\n") == "unknown command `\\u{1b}[2J\\n`")
    #expect(fault("things", "add", "--\u{202e}x") == "unknown option `--\\u{202e}x`")
  }

  @Test("a word of any length is answered at once")
  func longWord() {
    #expect(fault(String(repeating: "a", count: 1_000_000)).utf8.count < 120)
  }
}

@Suite("Help texts")
struct HelpTextTests {
  @Test("the program's help lists its commands")
  func programHelp() {
    #expect(
      program.help(for: []) == """
        Usage: tool COMMAND

        Does things.

        Commands:
          things  Work with things.
          echo    Echo.
          help    Print help.

        Options:
          --help     Print this help.
          --version  Print the version.

        Exit codes: 0 or 1.

        `tool help COMMAND` tells more of each.

        """)
  }

  @Test("the help of a command that holds others lists them")
  func groupHelp() {
    #expect(
      program.help(for: ["things"]) == """
        Usage: tool things COMMAND

        Work with things.

        Commands:
          add   Add a thing.
          list  List.

        `tool things COMMAND --help` tells more of each.

        """)
  }

  @Test("the help of a command has its usage, its words and its options, at most 80 wide")
  func commandHelp() {
    let help = program.help(for: ["things", "add"])
    #expect(
      help == """
        Usage: tool things add THING [NOTE] [--place N] [--color COLOR] [--tag TAG]
                 [--force] [--json]

        Add a thing.

        A thing is added at the end of all the others unless a place for it is given,
        and then there.

          tool things add a --place 1

        Arguments:
          THING  The thing.
          NOTE   A note.

        Options:
          --place N      Where it goes.
          --color COLOR  Its colour. One of: red, green.
          --tag TAG      A tag.
          --force        Even so.
          --json         Print JSON, as docs/json-output.md says.
          --help         Print this help.

        """)
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
