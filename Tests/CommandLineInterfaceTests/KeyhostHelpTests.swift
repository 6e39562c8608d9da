import TestSupport
import Testing

@Suite("The help of keyhost")
struct KeyhostHelpTests {
  private static func document() throws -> [ConsoleTranscript.Step] {
    ConsoleTranscript(markdown: try SourceTree.contents(of: "docs/commands.md")).steps
  }

  @Test("docs/commands.md shows the help of each command as the program prints it")
  func exact() throws {
    let home = try TemporaryHome()
    let steps = try Self.document()
    #expect(!steps.isEmpty)
    for step in steps {
      let words = step.command.split(separator: " ").map(String.init)
      #expect(words.first == "keyhost" && words.last == "--help")
      let result = try home.keyhost.run(Array(words.dropFirst()))
      #expect(result.exitCode == 0)
      #expect(result.standardError == "")
      #expect(
        result.standardOutput == step.output.map { $0 + "\n" }.joined(), "\(step.command)")
      let other = try home.keyhost.run(["help"] + words.dropFirst().dropLast())
      #expect(other.standardOutput == result.standardOutput)
    }
  }

  @Test("no command is missing in docs/commands.md")
  func complete() throws {
    let home = try TemporaryHome()
    let documented = Set(try Self.document().map(\.command))
    func check(_ path: [String]) throws {
      let command = (["keyhost"] + path + ["--help"]).joined(separator: " ")
      #expect(documented.contains(command))
      let help = try home.keyhost.run(path + ["--help"]).standardOutput
      guard let list = help.range(of: "Commands:\n") else { return }
      for line in help[list.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      {
        guard !line.isEmpty else { break }
        guard line.hasPrefix("  "), !line.hasPrefix("   ") else { continue }
        let name = line.split(separator: " ")[0]
        if name != "help" { try check(path + [String(name)]) }
      }
    }
    try check([])
  }

  @Test("the version is printed, and wrong use has the exit code 2 and changes nothing")
  func usage() throws {
    let home = try TemporaryHome()
    let version = try home.keyhost("--version")
    #expect(version.standardOutput.hasPrefix("keyhost "))
    for arguments in [
      [], ["apps"], ["aps"], ["apps", "instal"], ["apps", "install"], ["apps", "list", "x"],
      ["keyboards", "move", "system", "x"], ["keyboards", "add", "a", "--position", "0"],
      ["grant", "a", "microphone"], ["explain", "--field", "{"], ["explain", "--answer", "maybe"],
      ["log", "--since", "yesterday"], ["new", "A"], ["new", "A", "--language", "c"],
      ["--no-such-option"], ["help", "nothing"],
    ] {
      let result = try home.keyhost.run(arguments)
      #expect(result.exitCode == 2, "\(arguments)")
      #expect(result.standardOutput == "")
      #expect(result.standardError.hasPrefix("keyhost: "))
      #expect(result.standardError.hasSuffix("--help` tells how to use it.\n"))
    }
    #expect(try Files.tree(home.path) == ["cache", "config", "data", "run", "state", "work"])
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<Index>? {
    var place = startIndex
    while place != endIndex {
      if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
      place = index(after: place)
    }
    return nil
  }
}
