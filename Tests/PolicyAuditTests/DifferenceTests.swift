import CSandboxTesting
import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite struct DifferenceTests {
  static func difference(
    _ old: FilterSubject, _ new: FilterSubject
  ) throws -> [FilterDifference.Change] {
    try FilterDifference(from: old, to: new, space: Subjects.space).changes
  }

  @Test("open access adds just these calls, and takes none away")
  func openAccess() throws {
    let base = try Subjects.keyboard(openAccess: false)
    let open = try Subjects.keyboard(openAccess: true)
    let changes = try Self.difference(base, open)
    #expect(changes.allSatisfy { $0.kind == .newlyAllowed && $0.architecture == .x8664 })
    #expect(
      changes.compactMap(\.systemCall) == [
        "socket", "sendto", "recvfrom", "sendmsg", "recvmsg", "shutdown", "getsockname",
        "getpeername", "setsockopt", "getsockopt", "sendmmsg",
      ])
    for change in changes {
      #expect(base.action(for: change.witness.input) == change.before)
      #expect(open.action(for: change.witness.input) == change.after)
    }
    let back = try Self.difference(open, base)
    #expect(back.map(\.systemCall) == changes.map(\.systemCall))
    #expect(back.allSatisfy { $0.kind == .newlyDenied })
  }

  @Test("filters that mean the same differ in nothing, however they are written")
  func sameMeaning() throws {
    let text =
      #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read", "write", "close"], "action": "SCMP_ACT_ALLOW"}]}"#
    let policy = try Subjects.policy(text)
    let turned = try Subjects.policy(
      text.replacing("\"read\", \"write\", \"close\"", with: "\"close\", \"read\", \"write\""))
    #expect(try Self.difference(policy, turned).isEmpty)
    // A raw program against the policy it came from, as bytes and as JSON.
    let program = try #require(policy.programs.first)
    let bytes = try Subjects.reader.read(program.bytes, name: "b", load: Policies.load)
    #expect(try Self.difference(policy, bytes).isEmpty)
    let list = program.instructions.map { "[\($0.code),\($0.jumpTrue),\($0.jumpFalse),\($0.k)]" }
    let json = "[" + list.joined(separator: ", ") + "]"
    let read = try Subjects.reader.read(Array(json.utf8), name: "j", load: Policies.load)
    #expect(read.programs == policy.programs)
  }

  @Test("a change is told with its conditions, its kind and a call that shows it")
  func kinds() throws {
    func policy(_ rules: String) throws -> FilterSubject {
      try Subjects.policy(#"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [\#(rules)]}"#)
    }
    let old = try policy(
      #"{"names": ["read"], "action": "SCMP_ACT_ALLOW"}, {"names": ["open"], "action": "SCMP_ACT_ERRNO", "errnoRet": 13}"#
    )
    let new = try policy(
      #"{"names": ["write"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]}, {"names": ["open"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}"#
    )
    let changes = try Self.difference(old, new)
    #expect(changes.map(\.kind) == [.newlyAllowed, .newlyDenied, .changed])
    #expect(changes.map(\.systemCall) == ["write", "read", "open"])
    #expect(changes[0].conditions == ["arg0 == 0x1"])
    #expect(changes[1].conditions == ["always"])
    #expect(changes[2].before == .errno(13) && changes[2].after == .errno(38))
  }

  @Test("random policies: the difference is empty exactly when no tried call is answered otherwise")
  func randomPairs() throws {
    var random = SplitMix(seed: 3)
    func rules() -> String {
      (0..<Int(random.next() % 3)).map { _ in
        let name = ["read", "write"][Int(random.next() % 2)]
        let value = random.next() % 3
        return
          #"{"names": ["\#(name)"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": \#(value), "op": "SCMP_CMP_EQ"}]}"#
      }.joined(separator: ",")
    }
    var equal = 0
    for _ in 0..<40 {
      let a = try Subjects.policy(
        #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [\#(rules())]}"#)
      let b = try Subjects.policy(
        #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [\#(rules())]}"#)
      var differs = false
      for number in UInt32(0)..<3 {
        for value in UInt64(0)..<4 {
          let input = SeccompData(
            number: number, architecture: 0xc000_003e, arguments: [value])
          if a.action(for: input) != b.action(for: input) { differs = true }
        }
      }
      #expect(try Self.difference(a, b).isEmpty == !differs)
      if !differs { equal += 1 }
    }
    #expect(equal > 2 && equal < 38)
  }

  @Test("of stacked programs the strictest answer wins, as in the kernel")
  func stacked() throws {
    let allow = BPFProgram([BPFInstruction(code: 0x06, k: 0x7fff_0000)])
    func on(_ number: UInt32, _ value: UInt32) -> BPFProgram {
      BPFProgram([
        BPFInstruction(code: 0x20, k: 0), BPFInstruction(code: 0x15, jumpFalse: 1, k: number),
        BPFInstruction(code: 0x06, k: value), BPFInstruction(code: 0x06, k: 0x7fff_0000),
      ])
    }
    let subject = FilterSubject(
      name: "stack",
      programs: [allow, on(500, 0x0005_0001), on(500, 0x0005_0002), on(501, 0x0005_0003)])
    let sets = InputSets()
    let meaning = try FilterMeaning(of: subject, in: sets)
    // Of equally strict answers the newer one's error number counts.
    for (number, action) in [
      (UInt32(500), SeccompAction.errno(2)), (501, .errno(3)), (502, .allow),
    ] {
      let input = SeccompData(number: number, architecture: 0xc000_003e)
      #expect(subject.action(for: input) == action)
      #expect(meaning.answers[action].map { sets.contains(input, in: $0) } == true)
    }
    var calls = [Self.call(500), Self.call(501)]
    sandbox_testing_stacked(
      subject.programs.flatMap(\.bytes), subject.programs.map { UInt32($0.instructions.count) },
      UInt32(subject.programs.count), &calls, UInt32(calls.count))
    #expect(calls.map(\.result) == [-2, -3])
  }

  static func call(_ number: Int64) -> sandbox_testing_call {
    var call = sandbox_testing_call()
    call.number = number
    return call
  }
}
