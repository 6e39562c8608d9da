import CSandboxTesting
import ClassicBPF
import Glibc
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite struct ClaimTests {
  static func witnesses(_ claim: Claim, _ subject: FilterSubject) throws -> [Witness] {
    switch try ClaimProver(about: subject, space: Subjects.space).prove(claim) {
    case .proven: []
    case .broken(let witnesses): witnesses
    }
  }

  /// Each witness is a call that the simulator lets through as well.
  static func check(_ witnesses: [Witness], _ subject: FilterSubject) {
    for witness in witnesses {
      #expect(subject.action(for: witness.input) == witness.action)
      #expect(witness.action.permits)
    }
  }

  @Test("our policies keep every claim of their grant state", arguments: [false, true])
  func shipped(openAccess: Bool) throws {
    let prover = try ClaimProver(
      about: try Subjects.keyboard(openAccess: openAccess), space: Subjects.space)
    var proven = 0
    for name in Subjects.claimNames {
      let claim = try Subjects.claim(name)
      #expect(claim.name == name)
      #expect(claim.holds.contains("base"))
      #expect(claim.holds.isSubset(of: ["base", "openAccess"]))
      guard claim.holds.contains(openAccess ? "openAccess" : "base") else { continue }
      if case .broken(let witnesses) = try prover.prove(claim) {
        Issue.record("\(name): \(witnesses)")
      }
      proven += 1
    }
    #expect(proven == (openAccess ? 18 : 19))
  }

  @Test("every shipped claim is among those tested, and each is broken by a filter that allows all")
  func allowEverything() throws {
    let listed = try Files.list("\(SourceTree.root)/Policies/claims")
    #expect(
      listed.filter { $0.hasSuffix(".json") }.sorted()
        == Subjects.claimNames.map { "\($0).json" })
    let everything = Subjects.program([BPFInstruction(code: 0x06, k: 0x7fff_0000)])
    for name in Subjects.claimNames {
      let claim = try Subjects.claim(name)
      let witnesses = try Self.witnesses(claim, everything)
      #expect(!witnesses.isEmpty, "\(name)")
      Self.check(witnesses, everything)
      // One for every pattern of the claim, so that no pattern says nothing.
      for pattern in claim.never {
        let part = Claim(name: name, title: "", never: [pattern])
        #expect(try !Self.witnesses(part, everything).isEmpty, "\(name): \(pattern)")
      }
    }
  }

  @Test("allowing any call that a claim forbids breaks it")
  func weakened() throws {
    let profile = try Subjects.keyboard(openAccess: false)
    var policy = try #require(profile.policy)
    for (call, claim) in [
      ("ptrace", "no-ptrace"), ("fork", "no-new-process"), ("bpf", "no-kernel-surface"),
      ("timer_create", "stays-frozen"), ("socketpair", "tcp-only"), ("kill", "no-signals"),
      ("io_uring_setup", "no-microphone-route"), ("setns", "no-user-namespace"),
      ("chmod", "no-unjudged-files"), ("capset", "stays-watched"), ("execveat", "no-new-program"),
      ("flock", "no-marks-on-shared-files"), ("memfd_create", "within-limits"),
      ("pipe2", "within-limits"),
    ] {
      let before = policy
      for index in policy.rules.indices where policy.rules[index].systemCall == call {
        policy.rules[index].action = .allow
      }
      let subject = FilterSubject(
        name: "weakened", programs: [try SeccompCompiler().compile(policy)], policy: policy)
      let witnesses = try Self.witnesses(try Subjects.claim(claim), subject)
      #expect(witnesses.map(\.systemCall) == [call])
      policy = before
    }
  }

  @Test(
    "a claim that could forge a line of a report is refused, and its keys are shown escaped",
    arguments: [
      (
        #"{"name":"n","title":"t\nproven  all","never":[{"calls":["read"]}]}"#,
        "\"title\" must be one"
      ),
      (
        #"{"name":"n\u0000","title":"t","never":[{"calls":["read"]}]}"#, "\"name\" must be one line"
      ),
      (#"{"name":"","title":"t","never":[{"calls":["read"]}]}"#, "of 1 to 256 bytes"),
      (#"{"name":"n","title":"t","a\nb\u202e":1}"#, #"no such key: "a\u{a}b\u{202e}""#),
    ])
  func forged(text: String, expected: String) {
    let error = #expect(throws: PolicyError.self) {
      try Claim(parsing: Array(text.utf8), file: "claim.json")
    }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("a compare over 64 bits does not keep an int out, and one under a mask does")
  func widths() throws {
    func policy(_ condition: String) throws -> FilterSubject {
      try Subjects.policy(
        #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 1, \#(condition)}]}]}"#
      )
    }
    let claim = try #require(try Claim(expression: "deny:ioctl,arg1=0x5412"))
    let wrong = try policy(#""value": 21522, "op": "SCMP_CMP_EQ""#)
    let witnesses = try Self.witnesses(claim, wrong)
    Self.check(witnesses, wrong)
    let native = try #require(witnesses.first { $0.architecture == .x8664 })
    #expect(native.input.argument(1) & 0xffff_ffff == 0x5412)
    #expect(native.input.argument(1) >> 32 != 0)
    let right = try policy(
      #""value": 4294967295, "valueTwo": 21522, "op": "SCMP_CMP_MASKED_EQ""#)
    let rest = try Self.witnesses(claim, right)
    // i386 and x32 are not among the policy's architectures: libseccomp kills those.
    #expect(rest.isEmpty, "\(rest)")
    // The kernel itself: a descriptor that is none makes an allowed call answer EBADF.
    for (subject, error) in [(wrong, EBADF), (right, EPERM)] {
      var call = sandbox_testing_call()
      call.number = 16
      call.arguments = (.max, native.input.argument(1), 0, 0, 0, 0)
      let program = try #require(subject.programs.first)
      sandbox_testing_calls(program.bytes, UInt32(program.instructions.count), &call, 1)
      #expect(call.result == -Int64(error))
    }
  }

  @Test("a filter that does not look at the architecture is open to the others' numbers")
  func architectures() throws {
    let subject = Subjects.program([
      BPFInstruction(code: 0x20, k: 0),
      BPFInstruction(code: 0x15, jumpTrue: 0, jumpFalse: 1, k: 59),
      BPFInstruction(code: 0x06, k: 0), BPFInstruction(code: 0x06, k: 0x7fff_0000),
    ])
    let claim = try #require(try Claim(expression: "deny:execve"))
    let witnesses = try Self.witnesses(claim, subject)
    #expect(witnesses.map(\.architecture) == [.x32, .x86])
    #expect(witnesses.map(\.input.number) == [0x4000_0208, 11])
    #expect(witnesses.allSatisfy { $0.requirement != nil })
    #expect(try !Self.witnesses(try Subjects.claim("native-only"), subject).isEmpty)
  }

  @Test("flags behind a pointer cannot be judged: clone3 opens what clone's mask closes")
  func clone3() throws {
    let text =
      #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 2114060288, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}]}, {"names": ["clone3"], "action": "SCMP_ACT_ALLOW"}]}"#
    let claim = try Subjects.claim("no-user-namespace")
    #expect(
      try Self.witnesses(claim, try Subjects.policy(text)).map(\.systemCall) == ["clone3"])
    let closed = text.replacing(
      "\"clone3\"], \"action\": \"SCMP_ACT_ALLOW\"",
      with: "\"clone3\"], \"action\": \"SCMP_ACT_ERRNO\"")
    #expect(try Self.witnesses(claim, try Subjects.policy(closed)).isEmpty)
  }

  @Test("what a supervisor decides is proven as far as the supervisor goes, and named")
  func supervisor() throws {
    let subject = try Subjects.keyboard(openAccess: false)
    let outcome = try ClaimProver(about: subject, space: Subjects.space)
      .prove(try Subjects.claim("no-network"))
    guard case .proven(let outside) = outcome else {
      Issue.record("not proven")
      return
    }
    #expect(outside.contains("socket") && outside.contains("connect"))
  }

  @Test(
    "a wrong claim is refused, with the reason",
    arguments: [
      "deny:", "deny:socket,family=2", "deny:socket,arg6=1", "deny:socket,arg0=x",
      "deny:socket,arg0&0xf=16", "deny:socket,arg0=", "no-socket-family=AF_NONSENSE",
      "no-socket-family=", "deny:socket,arg0=18446744073709551616", "deny:socket,arg0=0x1ffffffff",
    ])
  func wrongExpressions(text: String) {
    #expect(throws: AuditError.self) { try Claim(expression: text) }
  }

  @Test("a claim about a call that nobody knows proves nothing")
  func unknownCall() throws {
    let claim = try #require(try Claim(expression: "deny:opne"))
    #expect(throws: AuditError.self) {
      try Self.witnesses(claim, try Subjects.keyboard(openAccess: false))
    }
  }

  @Test(
    "a wrong claim file is refused at its place",
    arguments: [
      "[]", "{}", #"{"name": "x", "title": "y"}"#, #"{"name": "x", "title": "y", "never": [{}]}"#,
      #"{"name": "x", "title": "y", "nevr": []}"#,
      #"{"name": "x", "title": "y", "never": [{"calls": []}]}"#,
      #"{"name": "x", "title": "y", "never": [{"calls": ["read"], "when": [{"argument": 6, "isOneOf": [1]}]}]}"#,
      #"{"name": "x", "title": "y", "never": [{"calls": ["read"], "when": [{"argument": 0}]}]}"#,
      #"{"name": "x", "title": "y", "never": [{"calls": ["read"], "when": [{"argument": 0, "mask": "0xf", "isOneOf": [16]}]}]}"#,
      #"{"name": "x", "title": "y", "never": [{"calls": ["read"], "when": [{"argument": 0, "isOneOf": ["0xg"]}]}]}"#,
    ])
  func wrongFiles(text: String) {
    #expect(throws: PolicyError.self) { try Claim(parsing: Array(text.utf8), file: "c.json") }
  }
}
