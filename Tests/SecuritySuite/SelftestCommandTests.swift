import SandboxSelftest
import StrictJSON
import TestSupport
import Testing

/// `keyhost selftest` as a person runs it.
@Suite("The selftest tells what it did", .serialized)
struct SelftestCommandTests {
  private func run(_ arguments: String...) throws -> (result: ProgramResult, report: JSONValue?) {
    let result = try Program(Products.keyhost, deadline: 600).run(["selftest"] + arguments)
    expectPlainText(result.standardOutput + result.standardError)
    let isJSON = arguments.contains("--json") && result.exitCode != 2
    return (result, isJSON ? try JSONDocument(parsing: result.standardOutputBytes).root : nil)
  }

  private func names(_ report: JSONValue?) -> [String] {
    report?["attacks"]?.elements?.compactMap { $0["name"]?.string } ?? []
  }

  @Test("--list tells every attack with its promise and layers, and makes none")
  func list() throws {
    let (result, report) = try run("--list", "--json")
    #expect(result.exitCode == 0, "\(result)")
    #expect(names(report) == AttackCatalog.all.map(\.name))
    for attack in report?["attacks"]?.elements ?? [] {
      #expect(attack["verdict"] == nil)
      #expect(attack["promise"]?.string?.isEmpty == false)
      #expect(attack["layers"]?.elements?.isEmpty == false)
    }
    let table = try run("--list").result
    #expect(table.lines.count == AttackCatalog.all.count + 1, "\(table)")
    let some = try run("--list", "--only", "terminal", "--only", "widths", "--json")
    #expect(
      names(some.report)
        == (AttackCatalog.attacks(of: .widths) + AttackCatalog.attacks(of: .terminal)).map(\.name))
  }

  @Test(
    "--only makes the attacks of a class, in the order of the list, and tells what came of each")
  func only() throws {
    let (result, report) = try run("--only", "terminal", "--only", "siblings", "--json")
    #expect(result.exitCode == 0, "\(result)")
    let expected = AttackCatalog.attacks(of: .siblings) + AttackCatalog.attacks(of: .terminal)
    #expect(names(report) == expected.map(\.name))
    var verdicts: [String: Int64] = [:]
    for attack in report?["attacks"]?.elements ?? [] {
      let verdict = try #require(attack["verdict"]?.string)
      verdicts[verdict, default: 0] += 1
      #expect(["refused", "notTestable"].contains(verdict), "\(attack["name"]?.string ?? "")")
      #expect(attack["worksOutside"]?.boolean == (verdict == "refused"))
      #expect(attack["reason"]?.isNull == (verdict == "refused"))
      if verdict == "refused" {
        let layers = attack["layers"]?.elements?.map { $0.elements?.map(\.string) }
        #expect(attack["holdAlone"]?.elements?.map { $0.elements?.map(\.string) } == layers)
      }
    }
    for verdict in ["refused", "gotThrough", "unproven", "notTestable"] {
      #expect(report?[verdict]?.int64 == verdicts[verdict] ?? 0)
    }
    #expect(report?["without"]?.elements?.isEmpty == true)
    #expect(report?["seconds"]?.double ?? 0 > 0)
  }

  @Test("the table has a line an attack, and the sum last")
  func table() throws {
    let (result, _) = try run("--only", "terminal")
    #expect(result.exitCode == 0, "\(result)")
    let attacks = AttackCatalog.attacks(of: .terminal)
    #expect(result.lines.count == attacks.count + 1, "\(result)")
    for (line, attack) in zip(result.lines, attacks) {
      #expect(line.contains(attack.name), "\(line)")
      // Some kernels let nobody type into a terminal.
      if line.hasPrefix("not testable") {
        #expect(line.contains("does not work here outside either"), "\(line)")
      } else {
        #expect(line.hasPrefix("refused"), "\(line)")
        #expect(line.contains("works outside; each holds alone: "), "\(line)")
      }
    }
    #expect(result.lines.last?.contains(" refused, 0 got through, 0 unproven") == true, "\(result)")
  }

  @Test("--without a layer: where another holds nothing gets through, and where none does it shows")
  func without() throws {
    let (held, report) = try run("--only", "terminal", "--without", "seccomp", "--json")
    #expect(held.exitCode == 0, "\(held)")
    #expect(report?["without"]?.elements?.map(\.string) == ["seccomp"])
    for attack in report?["attacks"]?.elements ?? [] {
      #expect(["refused", "notTestable"].contains(attack["verdict"]?.string))
      #expect(attack["holdAlone"]?.elements?.isEmpty == true)
    }
    let (through, open) = try run("--only", "descriptors", "--without", "descriptors", "--json")
    #expect(through.exitCode == 1, "\(through)")
    #expect(open?["gotThrough"]?.int64 ?? 0 >= 3, "\(through)")
    let words = try run("--only", "descriptors", "--without", "descriptors").result
    #expect(words.exitCode == 1)
    #expect(words.standardOutput.contains("GOT THROUGH"), "\(words)")
  }

  @Test("what is no class and no layer is wrong use")
  func wrongUse() throws {
    for arguments in [["--only", "everything"], ["--without", "hope"], ["terminal"]] {
      let result = try Program(Products.keyhost).run(["selftest"] + arguments)
      #expect(result.exitCode == 2, "\(result)")
      #expect(result.standardOutput.isEmpty, "\(result)")
    }
  }
}
