import TestSupport
import Testing

/// `docs/rules.md` names what holds each rule.
@Suite("The table of rules")
struct RuleTableTests {
  private struct Row {
    var rule: String
    var traces: [String]
    var tests: [String]
  }

  private static func rows() throws -> [Row] {
    try SourceTree.contents(of: "docs/rules.md").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard line.hasPrefix("| "), cells.count == 6, cells[1] != " rule " else { return nil }
      return Row(rule: String(cells[1]), traces: names(cells[3]), tests: names(cells[4]))
    }
  }

  /// What stands in backticks.
  private static func names(_ cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The function behind each `@Test`: what a test has inside, and what helps it, is none.
  private static func tests(in source: String) -> [String] {
    source.split(separator: "@Test").dropFirst().compactMap { part in
      let after = part.split(separator: "func ", maxSplits: 1).dropFirst().first
      return after.map { String($0.prefix { $0.isLetter || $0.isNumber }) }
    }
  }

  @Test("names every trace, and none that is not there")
  func traces() throws {
    let rows = try Self.rows()
    #expect(rows.count > 50)
    let named = Set(rows.flatMap(\.traces))
    let inFolders = try ["apps", "sandbox"].flatMap { folder in
      try Files.list("\(SourceTree.root)/Tests/Traces/\(folder)")
        .filter { $0.hasSuffix(".trace") }.map { "\(folder)/\($0.dropLast(6))" }
    }
    #expect(named == Set(TraceFileTests.names + inFolders))
  }

  @Test("has something for every rule, and every test in it is there")
  func tests() throws {
    var tests: [String: Set<String>] = [:]
    for file in try Files.tree("\(SourceTree.root)/Tests") where file.hasSuffix(".swift") {
      let stem = file.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
      let source = try SourceTree.contents(of: "Tests/\(file)")
      tests[stem, default: []].formUnion(Self.tests(in: source))
    }
    for row in try Self.rows() {
      #expect(!row.traces.isEmpty || !row.tests.isEmpty, "nothing holds: \(row.rule)")
      for test in row.tests {
        let parts = test.split(separator: ".").map(String.init)
        try #require(parts.count == 2, "\(test)")
        let found = try #require(tests[parts[0]], "there is no \(parts[0]).swift")
        #expect(found.contains(parts[1]), "\(test) is not there, or no test")
      }
    }
  }
}
