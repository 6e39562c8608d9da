import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite struct ExplanationTests {
  static func rows(
    _ subject: FilterSubject, _ call: String, on architecture: SeccompArchitecture = .x8664
  ) throws -> [Explanation.Row] {
    try Explanation(of: subject, space: Subjects.space, call: call).calls
      .first { $0.architecture == architecture }?.rows ?? []
  }

  @Test("several rules for one call are one table of decisions, with the rules' places")
  func decisionTable() throws {
    let subject = try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["setgid"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]}, {"names": ["setgid"], "action": "SCMP_ACT_LOG", "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_EQ"}]}, {"names": ["setgid"], "action": "SCMP_ACT_KILL_PROCESS", "args": [{"index": 0, "value": 255, "valueTwo": 128, "op": "SCMP_CMP_MASKED_EQ"}]}]}"#
    )
    let call = try #require(
      try Explanation(of: subject, space: Subjects.space, call: "setgid").calls.first)
    #expect(
      call.rows == [
        .init(action: .killProcess, conditions: ["(arg0 AND 0xff) == 0x80"]),
        .init(action: .errno(1), conditions: ["arg0 == 0x1"]),
        .init(action: .log, conditions: ["arg0 == 0x2"]),
        .init(action: .allow, conditions: []),
      ])
    #expect(call.sources.count == 3)
    #expect(call.sources[0].hasPrefix("p.json:1:61: ERRNO(1 EPERM) if arg0 == 0x1"))
  }

  @Test("mask and datum stand in place, so that a swap is seen")
  func swappedMask() throws {
    func subject(_ mask: UInt64, _ datum: UInt64) throws -> FilterSubject {
      try Subjects.policy(
        #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": \#(mask), "valueTwo": \#(datum), "op": "SCMP_CMP_MASKED_EQ"}]}]}"#
      )
    }
    let right = try Explanation(
      of: try subject(0x7e02_0000, 0), space: Subjects.space, call: "clone")
    #expect(
      right.calls[0].sources[0].hasSuffix("ALLOW if (arg0 AND 0x7e020000) == 0x0"))
    // With mask 0, the condition is always true.
    #expect(
      try Self.rows(try subject(0, 0x7e02_0000), "clone") == [.init(action: .allow, conditions: [])]
    )
  }

  @Test("numbers without a name and foreign architectures have their answers too")
  func rest() throws {
    let explanation = try Explanation(
      of: try Subjects.keyboard(openAccess: false), space: Subjects.space)
    #expect(
      explanation.unknownCalls.map(\.actions) == [[.errno(38)], [.killProcess], [.killProcess]])
    #expect(explanation.foreignArchitectures == [.killProcess])
    #expect(throws: AuditError.self) {
      try Explanation(
        of: try Subjects.keyboard(openAccess: false), space: Subjects.space, call: "opne")
    }
  }

  @Test("every row of every call agrees with the program", arguments: [false, true])
  func agreesWithProgram(openAccess: Bool) throws {
    let subject = try Subjects.keyboard(openAccess: openAccess)
    for call in try Explanation(of: subject, space: Subjects.space).calls
    where call.rows.count == 1 {
      let input = SeccompData(
        number: call.number, architecture: call.architecture.auditValue,
        arguments: [1, 2, 3, 4, 5, 6])
      #expect(subject.action(for: input) == call.rows[0].action)
    }
  }

  @Test(
    "a published raw filter is disassembled with the names of each path's architecture",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason)))
  func rawFilter() throws {
    let name = "antitree-raw-bpf-default.bpf.json"
    let subject = try Subjects.reader.read(
      try Corpus.read(name), name: name, load: Policies.load)
    let program = try #require(subject.programs.first)
    #expect(program.instructions.count == 1226)
    #expect(program.problems().isEmpty)
    let text = program.disassembly(callName: { systemCallName($0, auditArchitecture: $1) })
    #expect(text.split(separator: "\n").count == 1226)
    // 0x40000223 is a call of x32, 0x1c0 one of both.
    #expect(text.contains("jeq #0x40000223, 0194, 0029           ; pwritev2"))
    _ = try Explanation(of: subject, space: Subjects.space)
  }

  @Test("tells the conditions of every answer but the last, or is given up with the call's name")
  func completeConditions() throws {
    var random = SplitMix(seed: 3)
    var answered = 0
    var givenUp = 0
    for _ in 0..<60 {
      let rules = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let conditions = (0..<Int.random(in: 1...3, using: &random)).map { index in
          let comparison = ["LT", "GT", "NE", "EQ"][Int.random(in: 0..<4, using: &random)]
          let value = random.next() >> UInt64.random(in: 1..<64, using: &random)
          return "{\"index\": \(index), \"value\": \(value), \"op\": \"SCMP_CMP_\(comparison)\"}"
        }
        return """
          {"names": ["getpid"], "action": "SCMP_ACT_ERRNO", "args": [\(conditions.joined(separator: ","))]}
          """
      }
      let subject = try Subjects.policy(
        """
        {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
        "syscalls": [\(rules.joined(separator: ",\n"))]}
        """)
      do throws(AuditError) {
        let explanation = try Explanation(of: subject, space: Subjects.space, call: "getpid")
        for call in explanation.calls {
          #expect(call.rows.dropLast().allSatisfy { !$0.conditions.isEmpty }, "\(rules)")
          if call.rows.contains(where: { $0.conditions.count > 64 }) { answered += 1 }
        }
      } catch {
        givenUp += 1
        #expect(error.message.hasPrefix("p.json: gave up at x86_64 getpid: "), "\(error)")
      }
    }
    #expect(answered > 0 && givenUp > 0)
  }
}
