import SandboxPolicy
import Seccomp
import Testing

@Suite struct ResolutionTests {
  static let amd64 = PolicySituation(
    architecture: .x8664, kernel: KernelVersion(major: 6, minor: 1))

  static func resolve(
    _ text: String, _ situation: PolicySituation = amd64
  ) throws -> (policy: ResolvedSeccompPolicy, notes: [PolicyNote]) {
    try ReadingTests.read(text).resolve(for: situation, table: LibseccompTable())
  }

  /// The answer to a call without conditions.
  static func answer(
    _ call: String, _ text: String, _ situation: PolicySituation = amd64
  ) throws -> SeccompAction {
    let policy = try resolve(text, situation).policy
    let table = LibseccompTable()
    let number = try #require(table.number(of: call, on: situation.architecture))
    return PolicyEvaluator(policy, table: table).action(
      auditValue: situation.architecture.auditValue, number: number,
      arguments: [0, 0, 0, 0, 0, 0])
  }

  @Test("kernel versions and capabilities choose the rules")
  func selectors() throws {
    let text = ReadingTests.withRule(
      #""action": "SCMP_ACT_ALLOW", "name": "ptrace", "includes": {"minKernel": "4.8", "caps": ["CAP_KILL", "CAP_CHOWN"]}, "excludes": {"caps": ["CAP_BPF", "CAP_MKNOD"], "minKernel": "6.0"}"#
    )
    func answer(_ kernel: String, _ capabilities: Set<String>) throws -> SeccompAction {
      try Self.answer(
        "ptrace", text,
        PolicySituation(
          architecture: .x8664, kernel: KernelVersion(kernel)!, capabilities: capabilities))
    }
    #expect(try answer("5.10", ["CAP_KILL", "CAP_CHOWN"]) == .allow)
    #expect(try answer("4.7", ["CAP_KILL", "CAP_CHOWN"]) == .errno(1))
    #expect(try answer("4.8", ["CAP_KILL", "CAP_CHOWN"]) == .allow)
    #expect(try answer("6.0", ["CAP_KILL", "CAP_CHOWN"]) == .errno(1))
    #expect(try answer("5.10", ["CAP_KILL"]) == .errno(1))
    #expect(try answer("5.10", ["CAP_KILL", "CAP_CHOWN", "CAP_MKNOD"]) == .errno(1))
  }

  @Test("a misspelled name is an error where it would deny and a warning where it would allow")
  func unknownNames() throws {
    let deny =
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["kexec_lod"], "action": "SCMP_ACT_ERRNO"}]}"#
    let error = #expect(throws: PolicyError.self) { try Self.resolve(deny) }
    #expect(error?.description.hasPrefix("p.json:1:61: ") == true)
    #expect(error?.message.contains("did you mean kexec_load?") == true)
    let allow = try Self.resolve(
      ReadingTests.withRule(#""action": "SCMP_ACT_ALLOW", "names": ["statmountt", "read"]"#))
    #expect(allow.policy.rules.map(\.systemCall) == ["read"])
    #expect(allow.notes.map(\.severity) == [.warning])
    #expect(allow.notes[0].message.contains("gets the default here, ERRNO(1 EPERM)"))
    // A call of another architecture is known, and says nothing here.
    let other = try Self.resolve(
      ReadingTests.withRule(#""action": "SCMP_ACT_ALLOW", "names": ["socketcall"]"#))
    #expect(other.notes.isEmpty)
  }

  @Test("what unknown names may have meant is sought for a hundred of them")
  func manyUnknownNames() throws {
    func notes(_ names: [String]) throws -> [String] {
      let list = names.map { "\"\($0)\"" }.joined(separator: ",")
      return try Self.resolve(
        ReadingTests.withRule("\"action\": \"SCMP_ACT_ALLOW\", \"names\": [\(list)]")
      ).notes.map(\.message)
    }
    let many = try notes((100..<300).map { "getpid\($0)" })
    #expect(many.count == 200)
    #expect(many.count { $0.contains("did you mean getpid?") } == 100)
  }

  @Test("a repeated argument index means any of the conditions, as in runc, with a warning")
  func repeatedIndex() throws {
    let text =
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_EQ"}, {"index": 0, "value": 16, "op": "SCMP_CMP_EQ"}, {"index": 1, "value": 2, "op": "SCMP_CMP_EQ"}]}]}"#
    let (policy, notes) = try Self.resolve(text)
    #expect(policy.rules.map(\.conditions.count) == [1, 1, 1])
    #expect(notes.map(\.severity) == [.warning])
    #expect(notes[0].message.contains("arg1 == 0x2"))
    let evaluator = PolicyEvaluator(policy, table: LibseccompTable())
    #expect(
      evaluator.action(auditValue: 0xc000_003e, number: 41, arguments: [1, 2, 0, 0, 0, 0])
        == .errno(1))
  }

  @Test("the native architecture is added when the list leaves it out, and that is said")
  func nativeArchitecture() throws {
    let (policy, notes) = try Self.resolve(
      #"{"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86"]}"#)
    #expect(policy.architectures == [.x8664, .x86])
    #expect(notes.map(\.severity) == [.warning])
    let (family, _) = try Self.resolve(
      #"{"defaultAction": "SCMP_ACT_ERRNO", "archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86"]}]}"#
    )
    #expect(family.architectures == [.x8664, .x86])
  }

  @Test("the first unconditional rule wins over all others, and a default rule says nothing")
  func precedence() throws {
    let text =
      #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ERRNO"}, {"names": ["read"], "action": "SCMP_ACT_LOG", "args": [{"index": 0, "value": 0, "op": "SCMP_CMP_EQ"}]}, {"names": ["read"], "action": "SCMP_ACT_ALLOW"}, {"names": ["read"], "action": "SCMP_ACT_KILL_PROCESS"}]}"#
    #expect(try Self.answer("read", text) == .allow)
  }
}
