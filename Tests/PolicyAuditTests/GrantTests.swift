import ClassicBPF
import PolicyAudit
import SandboxPolicy
import TestSupport
import Testing

/// A grant adds exactly what it says: to the filter, and to the page that tells of it.
@Suite struct GrantTests {
  @Test("open access allows what was allowed, and what its own rules say, and nothing beside")
  func exact() throws {
    let sets = InputSets()
    func permitted(_ subject: FilterSubject) throws -> InputSet {
      try FilterMeaning(of: subject, in: sets).inputs { $0.permits }
    }
    // The grant's rules as a policy by themselves.
    var text = String(decoding: try Policies.load("seccomp/open-access.json"), as: UTF8.self)
    let brace = try #require(text.firstIndex(of: "{"))
    text.replaceSubrange(brace...brace, with: #"{"defaultAction": "SCMP_ACT_ERRNO","#)
    let grant = try permitted(try Subjects.policy(text))
    let base = try permitted(try Subjects.keyboard(openAccess: false))
    let open = try permitted(try Subjects.keyboard(openAccess: true))
    #expect(sets.difference(open, sets.union(base, grant)).isEmpty)
    #expect(!sets.subtracting(base, from: open).isEmpty)
    #expect(!sets.isExhausted)
  }

  @Test("the page on auditing shows the difference and the claims as they are")
  func page() throws {
    let page = try Files.text("\(SourceTree.root)/docs/audit.md")
    let difference = try Program(Products.keyhost, environment: Program.plainEnvironment).run(
      "audit", "diff", "keyboard", "keyboard+open-access")
    #expect(page.contains("```\n\(difference.standardOutput)```\n"), "\(difference)")
    for name in Subjects.claimNames {
      let claim = try Subjects.claim(name)
      let states = [("base", "base"), ("openAccess", "open access")]
        .filter { claim.holds.contains($0.0) }.map(\.1).joined(separator: ", ")
      let row = "| `\(name)` | \(claim.title.dropLast()) | \(states) | "
      #expect(page.contains(row), "\(row)")
    }
  }
}
