import Glibc
import TestSupport
import Testing

/// Every command shown in the documentation, run in order as a new user would.
@Suite("Documented commands")
struct DocumentedCommandTests {
  /// `swift test` holds the lock on the build folder, which `make` needs: `make test` only.
  private static let isStaged = getenv("KEYHOST_TEST_SOURCE") != nil

  @Test(
    "each command of the README works, in order, and prints what is shown",
    .enabled(if: isStaged, "needs the staged source tree: make test"))
  func readme() throws {
    try run("README.md")
  }

  @Test("a shown `...` stands for any lines")
  func transcriptMatching() {
    let shown = ["a", "...", "d"]
    #expect(ConsoleTranscript.matches(["a", "d"], shown: shown[...]))
    #expect(ConsoleTranscript.matches(["a", "b", "c", "d"], shown: shown[...]))
    #expect(!ConsoleTranscript.matches(["a", "b", "c"], shown: shown[...]))
    #expect(!ConsoleTranscript.matches(["a", "d", "e"], shown: shown[...]))
  }

  private func run(_ document: String) throws {
    let transcript = ConsoleTranscript(markdown: try SourceTree.contents(of: document))
    try #require(!transcript.steps.isEmpty, "\(document) shows no commands")
    let home = try TemporaryHome()
    var environment = home.environment
    // The commands are run from a clone, with the toolchain where the user has it.
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    environment["PATH"] = "\(path):\(Program.plainEnvironment["PATH"]!)"
    let separator = Secret.make("step")
    var script = "exec 2>&1\n"
    for step in transcript.steps where !step.command.hasPrefix("make test") {
      script += "{ \(step.command)\n} </dev/null\nprintf '\\n%s %s\\n' \(separator) \"$?\"\n"
    }
    let shell = Program(
      "/bin/bash", environment: environment, workingDirectory: try Self.clone(in: home),
      deadline: 900)
    let result = try shell.run(["-s"], input: Array(script.utf8))
    #expect(result.exitCode == 0, "\(result)")

    var rest = result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)[...]
    for step in transcript.steps where !step.command.hasPrefix("make test") {
      let place = "\(document):\(step.line): \(step.command)"
      guard let end = rest.firstIndex(where: { $0.hasPrefix(separator) }) else {
        Issue.record("\(place)\nwas not reached:\n\(result)")
        return
      }
      // The newline before the separator closes a last line without one.
      var output = Array(rest[rest.startIndex..<end])
      while output.last?.isEmpty == true { output.removeLast() }
      #expect(rest[end].hasSuffix(" 0"), "\(place)\n\(output.joined(separator: "\n"))")
      if !step.output.isEmpty {
        var shown = step.output
        while shown.last?.isEmpty == true { shown.removeLast() }
        #expect(
          ConsoleTranscript.matches(output[...], shown: shown[...]),
          "\(place)\nprinted\n\(output.joined(separator: "\n"))")
      }
      rest = rest[(end + 1)...]
    }
  }

  /// The clone itself where this user may write to it, so that nothing is built twice; else a
  /// fresh copy, as a new user has one.
  private static func clone(in home: TemporaryHome) throws -> String {
    if let clone = getenv("KEYHOST_TEST_CLONE").map({ String(cString: $0) }),
      access("\(clone)/.build", W_OK) == 0
    {
      return clone
    }
    let copy = "\(home.work)/a clone"
    let copied = try Program("/bin/cp").run("-R", "--", SourceTree.root, copy)
    try #require(copied.exitCode == 0, "\(copied)")
    return copy
  }
}
