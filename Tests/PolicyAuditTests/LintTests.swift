import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Testing

/// Each class of mistakes, with a policy that makes it and one that does not.
@Suite struct LintTests {
  static func kinds(_ subject: FilterSubject) throws -> Set<LintFinding.Kind> {
    Set(try PolicyLinter(space: Subjects.space).lint(subject).map(\.kind))
  }

  /// A policy that refuses by default, lets programs end, and is otherwise as given.
  static func denying(_ rules: String, more: String = "") throws -> FilterSubject {
    try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, \#(more) "syscalls": [{"names": ["exit", "exit_group"], "action": "SCMP_ACT_ALLOW"}\#(rules.isEmpty ? "" : ", " + rules)]}"#
    )
  }

  static func allowing(_ rules: String, more: String = "") throws -> FilterSubject {
    try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ALLOW", \#(more) "syscalls": [\#(rules)]}"#)
  }

  static func rule(
    _ names: String, _ action: String = "ALLOW", _ conditions: String = ""
  ) -> String {
    let list = names.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
    return #"{"names": [\#(list)], "action": "SCMP_ACT_\#(action)", "args": [\#(conditions)]}"#
  }

  static func condition(
    _ index: Int, _ operation: String, _ value: UInt64, _ second: UInt64 = 0
  ) -> String {
    #"{"index": \#(index), "op": "SCMP_CMP_\#(operation)", "value": \#(value), "valueTwo": \#(second)}"#
  }

  @Test("a filter that lets everything through protects nothing, whatever kind it is")
  func allowsAll() throws {
    let allow = BPFInstruction(code: 0x06, k: 0x7fff_0000)
    let kill = BPFInstruction(code: 0x06, k: 0x8000_0000)
    #expect(try Self.kinds(Subjects.program([allow])) == [.allowsAll])
    // In a roundabout way: both branches allow; LOG does, too.
    let branch = BPFInstruction(code: 0x15, jumpFalse: 1, k: 59)
    let log = BPFInstruction(code: 0x06, k: 0x7ffc_0000)
    let load = BPFInstruction(code: 0x20, k: 0)
    #expect(try Self.kinds(Subjects.program([load, branch, allow, log])).contains(.allowsAll))
    #expect(try !Self.kinds(Subjects.program([load, branch, kill, allow])).contains(.allowsAll))
    // Other architectures alone are refused.
    let native = [
      BPFInstruction(code: 0x20, k: 4), BPFInstruction(code: 0x15, jumpFalse: 1, k: 0xc000_003e),
    ]
    let findings = try PolicyLinter(space: Subjects.space)
      .lint(Subjects.program(native + [allow, kill]))
    let finding = try #require(findings.first { $0.kind == .allowsAll })
    #expect(finding.message.contains("every call of x86_64 programs"))
    #expect(finding.witness?.action == .allow && finding.remedy != nil)
    // Policies, and a process that has no filter.
    #expect(try Self.kinds(Self.allowing("")).contains(.allowsAll))
    #expect(try !Self.kinds(Self.allowing(Self.rule("mount", "ERRNO"))).contains(.allowsAll))
    #expect(try !Self.kinds(Self.denying("")).contains(.allowsAll))
    let nothing = FilterSubject(name: "pid:1", programs: [])
    let none = try PolicyLinter(space: Subjects.space).lint(nothing)
    #expect(none.contains { $0.kind == .allowsAll && $0.message.contains("there is no filter") })
  }

  @Test("there is no false alarm on our own policies", arguments: [false, true])
  func ours(openAccess: Bool) throws {
    let findings = try PolicyLinter(space: Subjects.space)
      .lint(try Subjects.keyboard(openAccess: openAccess))
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("a small clean policy has no findings")
  func clean() throws {
    #expect(try Self.kinds(try Self.denying(Self.rule("read write"))).isEmpty)
  }

  static let cases:
    [(
      LintFinding.Kind, wrong: @Sendable () throws -> FilterSubject,
      right: @Sendable () throws -> FilterSubject
    )] =
      [
        (
          .wideCompare,
          { try allowing(rule("ioctl", "ERRNO", condition(1, "EQ", 21522))) },
          { try allowing(rule("ioctl", "ERRNO", condition(1, "MASKED_EQ", 0xffff_ffff, 21522))) }
        ),
        (
          .wideCompare,
          { try denying(rule("socket", "ALLOW", condition(0, "GT", 40))) },
          { try denying(rule("socket", "ALLOW", condition(0, "EQ", 40))) }
        ),
        (
          .mask, { try denying(rule("clone", "ALLOW", condition(0, "MASKED_EQ", 0, 0x7e02_0000))) },
          { try denying(rule("clone", "ALLOW", condition(0, "MASKED_EQ", 0x7e02_0000, 0))) }
        ),
        (
          .mask, { try denying(rule("socket", "ALLOW", condition(0, "MASKED_EQ", 0xf, 0x12))) },
          { try denying(rule("socket", "ALLOW", condition(0, "MASKED_EQ", 0xf, 0x2))) }
        ),
        (
          .shadowed,
          {
            try denying(
              rule("socket") + ", "
                + rule(
                  "socket", "ERRNO\", \"errnoRet\": 13, \"comment\": \"", condition(0, "EQ", 2)))
          },
          { try denying(rule("socket", "ALLOW", condition(0, "EQ", 2))) }
        ),
        (
          .contradiction,
          { try denying(rule("setgid") + ", " + rule("setgid", "KILL_PROCESS")) },
          { try denying(rule("setgid") + ", " + rule("setgid")) }
        ),
        (
          .contradiction,
          {
            try allowing(
              rule("read", "KILL_PROCESS", condition(0, "EQ", 1)) + ", "
                + rule("read", "ERRNO", condition(1, "EQ", 2)))
          },
          {
            try allowing(
              rule("read", "KILL_PROCESS", condition(0, "EQ", 1)) + ", "
                + rule("read", "ERRNO", condition(0, "EQ", 2)))
          }
        ),
        (
          .repeatedArgument,
          {
            try denying(
              rule("socket", "ALLOW", condition(0, "EQ", 1) + "," + condition(0, "EQ", 2)))
          },
          {
            try denying(
              rule("socket", "ALLOW", condition(0, "EQ", 1) + "," + condition(1, "EQ", 2)))
          }
        ),
        (
          .pointer, { try denying(rule("openat", "ALLOW", condition(1, "EQ", 0x1000))) },
          { try denying(rule("sendto", "ALLOW", condition(4, "EQ", 0))) }
        ),
        (.unknownName, { try denying(rule("statmountt")) }, { try denying(rule("statx")) }),
        (
          .sibling,
          { try allowing(rule("mount fsmount open_tree mount_setattr", "ERRNO")) },
          {
            try allowing(
              rule("mount fsopen fsconfig fsmount move_mount open_tree mount_setattr", "ERRNO"))
          }
        ),
        (
          .sibling,
          {
            try denying(
              rule("clone", "ALLOW", condition(0, "MASKED_EQ", 0x7e02_0000)) + ", " + rule("clone3")
            )
          },
          { try denying(rule("clone", "ALLOW", condition(0, "MASKED_EQ", 0x7e02_0000))) }
        ),
        (
          .architecture,
          {
            Subjects.program([
              BPFInstruction(code: 0x20, k: 0), BPFInstruction(code: 0x15, jumpFalse: 1, k: 59),
              BPFInstruction(code: 0x06, k: 0x8000_0000),
              BPFInstruction(code: 0x06, k: 0x7fff_0000),
            ])
          },
          {
            Subjects.program([
              BPFInstruction(code: 0x20, k: 4),
              BPFInstruction(code: 0x15, jumpTrue: 1, k: 0xc000_003e),
              BPFInstruction(code: 0x06, k: 0x8000_0000), BPFInstruction(code: 0x20, k: 0),
              BPFInstruction(code: 0x35, jumpTrue: 1, k: 0x4000_0000),
              BPFInstruction(code: 0x06, k: 0x7fff_0000),
              BPFInstruction(code: 0x06, k: 0x8000_0000),
            ])
          }
        ),
        (
          .probe,
          {
            try Subjects.policy(
              #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["exit_group", "clone"], "action": "SCMP_ACT_ALLOW"}]}"#
            )
          },
          { try denying(rule("clone")) }
        ),
        (
          .probe, { try allowing(rule("rseq", "KILL_PROCESS")) },
          { try allowing(rule("rseq", "ERRNO")) }
        ),
        (
          .noExit,
          {
            try Subjects.policy(
              #"{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW"}]}"#
            )
          }, { try denying("") }
        ),
        (
          .killThread, { try allowing(rule("ptrace", "KILL")) },
          { try allowing(rule("ptrace", "KILL_PROCESS")) }
        ),
        (
          .errnoZero,
          {
            try allowing(
              #"{"names": ["fsync"], "action": "SCMP_ACT_ERRNO", "errnoRet": 0}"#)
          }, { try allowing(rule("fsync", "ERRNO")) }
        ),
        (.allowsAll, { try allowing("") }, { try denying("") }),
        (.log, { try allowing(rule("ptrace", "LOG")) }, { try denying(rule("ptrace", "LOG")) }),
      ]

  @Test("each class is found where it is and not where it is not", arguments: 0..<Self.cases.count)
  func classes(index: Int) throws {
    let (kind, wrong, right) = Self.cases[index]
    #expect(try Self.kinds(try wrong()).contains(kind), "\(kind)")
    #expect(try !Self.kinds(try right()).contains(kind), "\(kind)")
  }

  @Test("every class has a case")
  func complete() {
    let tested = Set(Self.cases.map(\.0))
    #expect(Set(LintFinding.Kind.allCases).subtracting(tested) == [.reading])
  }

  @Test("a mended rule ends the finding")
  func remedy() throws {
    let wrong = try Self.allowing(Self.rule("ioctl", "ERRNO", Self.condition(1, "EQ", 21522)))
    let finding = try #require(
      try PolicyLinter(space: Subjects.space).lint(wrong).first { $0.kind == .wideCompare })
    #expect(finding.location?.description == "p.json:1:62")
    let witness = try #require(finding.witness)
    #expect(wrong.action(for: witness.input) == .allow)
    let mended = try Self.allowing(
      Self.rule("ioctl", "ERRNO", try #require(finding.remedy)))
    #expect(try !Self.kinds(mended).contains(.wideCompare))
  }
}
