import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// Questions about made policies that would take hours are given up after a number of steps, which
/// is the same each time, and never count as answered.
@Suite struct BudgetTests {
  /// Rules that each look at two bits of all six arguments: every one of them doubles what has to be
  /// kept apart.
  static func tangle(_ rules: Int) throws -> FilterSubject {
    var random = SplitMix(seed: 7)
    let all = (0..<rules).map { _ in
      let conditions = (0..<6).map { index in
        let mask = UInt64(1) << (random.next() % 64) | 1 << (random.next() % 64)
        return """
          {"index": \(index), "value": \(mask), "valueTwo": \(random.next() & mask), \
          "op": "SCMP_CMP_MASKED_EQ"}
          """
      }
      return """
        {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [\(conditions.joined(separator: ", "))]}
        """
    }
    return try Subjects.policy(
      """
      {"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [
      {"names": ["exit_group"], "action": "SCMP_ACT_ALLOW"},
      \(all.joined(separator: ",\n"))]}
      """)
  }

  static let small = 100_000

  /// What each question says of a filter under a budget; nil where it has an answer.
  static func messages(_ subject: FilterSubject, budget: Int) throws -> [String: String?] {
    func message(_ ask: () throws(AuditError) -> Void) -> String? {
      do throws(AuditError) {
        try ask()
        return nil
      } catch { return error.message }
    }
    let policy = try #require(subject.policy)
    let claim = try #require(try Claim(expression: "no-socket-family=AF_ALG"))
    let space = Subjects.space
    return [
      "explain": message { () throws(AuditError) in
        _ = try Explanation(of: subject, space: space, budget: budget)
      },
      "explain call": message { () throws(AuditError) in
        _ = try Explanation(of: subject, space: space, call: "socket", budget: budget)
      },
      "prove": message { () throws(AuditError) in
        _ = try ClaimProver(about: subject, space: space, budget: budget).prove(claim)
      },
      "validate": message { () throws(AuditError) in
        _ = try PolicyValidator(budget: budget).validate(
          subject.programs[0], against: policy, table: LibseccompTable())
      },
      "diff": message { () throws(AuditError) in
        _ = try FilterDifference(
          from: Subjects.everything, to: subject, space: space, budget: budget)
      },
      "lint": message { () throws(AuditError) in
        _ = try PolicyLinter(space: space, budget: budget).lint(subject)
      },
    ]
  }

  @Test("every question about rules without end is given up, with the call and the rule it was at")
  func givenUp() throws {
    let subject = try Self.tangle(40)
    let messages = try Self.messages(subject, budget: Self.small)
    for (question, message) in messages {
      let message = try #require(message, "\(question) was answered")
      #expect(message.contains("x86_64 socket"), "\(question): \(message)")
      #expect(message.contains("budget of \(Self.small) steps"), "\(question): \(message)")
      #expect(message.contains("\(subject.name):"), "\(question): \(message)")
      #expect(message.contains("--budget"), "\(question): \(message)")
    }
    // The same place in another run, whatever order of chance its tables have.
    #expect(try Self.messages(subject, budget: Self.small) == messages)
  }

  @Test("what a question takes is the same each time, and one step less is not enough")
  func exact() throws {
    let subject = try Self.tangle(4)
    func steps() throws -> Int {
      let sets = InputSets()
      _ = try FilterMeaning(of: subject, in: sets)
      return sets.steps
    }
    let needed = try steps()
    #expect(try steps() == needed)
    let enough = InputSets(budget: needed)
    _ = try FilterMeaning(of: subject, in: enough)
    #expect(!enough.isExhausted && enough.steps == needed)
    let short = InputSets(budget: needed - 1)
    #expect(throws: AuditError.self) { try FilterMeaning(of: subject, in: short) }
    #expect(short.exhaustion == .budget)
  }

  @Test("what fills the memory is given up in the same way")
  func memory() throws {
    let sets = InputSets(limit: 10_000)
    #expect {
      try FilterMeaning(of: try Self.tangle(40), in: sets)
    } throws: { "\($0)".contains("x86_64 socket") && "\($0)".contains("more memory") }
    #expect(sets.exhaustion == .nodes)
  }

  @Test(
    "every question about the policies in use takes less than a twentieth of the budget",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason)))
  func inUse() throws {
    for name in try Files.list(Corpus.folder) where name.hasSuffix(".json") {
      // It has an error number that nobody takes.
      if name == "moby-fixture-example.json" { continue }
      let subject = try Subjects.reader.read(
        try Corpus.read(name), name: name, load: Policies.load)
      guard subject.policy != nil else {
        let sets = InputSets(budget: InputSets.ordinaryBudget / 20)
        #expect(throws: Never.self) { try FilterMeaning(of: subject, in: sets) }
        continue
      }
      for (question, message) in try Self.messages(
        subject, budget: InputSets.ordinaryBudget / 20)
      {
        #expect(message == nil, "\(name): \(question)")
      }
    }
  }
}
