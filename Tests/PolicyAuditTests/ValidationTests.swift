import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite struct ValidationTests {
  static let table = LibseccompTable()
  static let here = PolicyLocation(file: "test", line: 1, column: 1)

  static func keyboard(openAccess: Bool) throws -> ResolvedSeccompPolicy {
    try #require(try Subjects.keyboard(openAccess: openAccess).policy)
  }

  static func policy(
    _ rules: [(String, [ArgumentCondition], SeccompAction)],
    architectures: [SeccompArchitecture] = [.x8664]
  ) -> ResolvedSeccompPolicy {
    ResolvedSeccompPolicy(
      defaultAction: .errno(1), architectures: architectures,
      foreignArchitectureAction: .killProcess,
      rules: rules.map {
        .init(systemCall: $0.0, conditions: $0.1, action: $0.2, source: here)
      })
  }

  static func condition(_ index: Int, _ test: ArgumentCondition.Test) -> ArgumentCondition {
    ArgumentCondition(index: index, test: test)
  }

  static func validate(_ policy: ResolvedSeccompPolicy) throws -> PolicyValidator.Outcome {
    try PolicyValidator().validate(
      try SeccompCompiler().compile(policy), against: policy, table: table)
  }

  @Test("the shipped programs are proved equal to their policies", arguments: [false, true])
  func shipped(openAccess: Bool) throws {
    #expect(try Self.validate(try Self.keyboard(openAccess: openAccess)) == .equal)
  }

  @Test("libseccomp's known miscompilation is found, with the call it lets through")
  func miscompilation() throws {
    let policy = Self.policy([
      ("write", [Self.condition(0, .greater(0)), Self.condition(1, .equal(.max))], .allow),
      (
        "write", [Self.condition(0, .greaterOrEqual(5)), Self.condition(1, .lessOrEqual(5))], .allow
      ),
    ])
    let program = try SeccompCompiler().compile(policy)
    // The call of the report: (1, 0).
    let reported = SeccompData(number: 1, architecture: 0xc000_003e, arguments: [1, 0])
    #expect(program.run(on: reported) == SeccompAction.allow.returnValue)
    guard
      case .different(let example) = try PolicyValidator().validate(
        program, against: policy, table: Self.table)
    else {
      Issue.record("not found")
      return
    }
    #expect(example.program == .allow)
    #expect(example.policy == .errno(1))
    #expect(program.run(on: example.input) == SeccompAction.allow.returnValue)
  }

  @Test("a changed jump or constant is found, or changes nothing")
  func mutations() throws {
    let policy = Self.policy([
      ("read", [], .allow), ("write", [Self.condition(0, .equal(1))], .allow),
      ("write", [Self.condition(0, .maskedEqual(mask: 0xff, 2))], .allow),
      ("socket", [Self.condition(0, .maskedEqual(mask: 0xffff_ffff, 38))], .killProcess),
      ("ioctl", [Self.condition(1, .equal(0x1_0000_5412))], .errno(25)),
      ("execve", [], .notify), ("clone3", [], .errno(38)),
    ])
    let program = try SeccompCompiler().compile(policy)
    var caught = 0
    for index in program.instructions.indices {
      for change in 0..<6 {
        var mutant = program
        switch change {
        case 0:
          let old = mutant.instructions[index]
          mutant.instructions[index].jumpTrue = old.jumpFalse
          mutant.instructions[index].jumpFalse = old.jumpTrue
        case 1: mutant.instructions[index].jumpTrue ^= 1
        case 2: mutant.instructions[index].jumpFalse ^= 1
        case 3: mutant.instructions[index].k ^= 1
        case 4: mutant.instructions[index].k ^= 0x8000_0000
        default: mutant.instructions[index].k &+= 4
        }
        guard mutant != program, mutant.problems().isEmpty else { continue }
        switch try PolicyValidator().validate(mutant, against: policy, table: Self.table) {
        case .different(let example):
          caught += 1
          #expect(Self.answer(mutant, example.input) != Self.answer(program, example.input))
        case .equal: Self.expectSame(mutant, program, policy)
        }
      }
    }
    #expect(caught > program.instructions.count)
  }

  /// What the kernel makes of the answer: it ignores some bits of the value.
  static func answer(_ program: BPFProgram, _ input: SeccompData) -> SeccompAction {
    SeccompAction(returnValue: program.run(on: input))
  }

  /// Both answer alike on every mixture of the values that the policy compares with.
  static func expectSame(
    _ a: BPFProgram, _ b: BPFProgram, _ policy: ResolvedSeccompPolicy
  ) {
    let values: [UInt64] = [0, 1, 2, 38, 0x102, 0x5412, 0x1_0000_5412, 0x26_0000_0026, .max]
    for number in [UInt32(0), 1, 16, 41, 42, 59, 435, 0x4000_0000, .max] {
      for architecture in [UInt32(0xc000_003e), 0x4000_0003] {
        for first in values {
          for second in values {
            let input = SeccompData(
              number: number, architecture: architecture, arguments: [first, second])
            if Self.answer(a, input) != Self.answer(b, input) {
              Issue.record("called equal, but not on \(input)")
              return
            }
          }
        }
      }
    }
  }

  @Test("leaving out any rule of the policy is found")
  func droppedRules() throws {
    let policy = try Self.keyboard(openAccess: false)
    let program = try SeccompCompiler().compile(policy)
    var random = SplitMix(seed: 7)
    for _ in 0..<6 {
      var smaller = policy
      let candidates = policy.rules.indices.filter {
        // A call that is answered like an unknown one is answered so without its rule, too.
        policy.rules[$0].action != policy.defaultAction
          && policy.rules[$0].action != policy.unknownCallAction
      }
      let index = candidates[Int(random.next() % UInt64(candidates.count))]
      smaller.rules.remove(at: index)
      let outcome = try PolicyValidator().validate(program, against: smaller, table: Self.table)
      #expect(outcome != .equal, "\(policy.rules[index])")
    }
  }

  @Test("random policies of equality and masks are compiled rightly, each proved")
  func randomPolicies() throws {
    var random = SplitMix(seed: 99)
    for _ in 0..<60 {
      var rules: [(String, [ArgumentCondition], SeccompAction)] = []
      let action: SeccompAction = random.next() % 2 == 0 ? .allow : .errno(38)
      for _ in 0..<(1 + random.next() % 6) {
        var conditions: [ArgumentCondition] = []
        for index in 0..<3 where random.next() % 2 == 0 {
          let datum = [0, 1, 38, 0xffff_ffff, 0x1_0000_0000, UInt64.max][Int(random.next() % 6)]
          let mask = [0xff, 0xffff_ffff, 0xffff_ffff_0000_0000][Int(random.next() % 3)] as UInt64
          conditions.append(
            Self.condition(
              index,
              random.next() % 2 == 0
                ? .equal(datum) : .maskedEqual(mask: mask, datum & mask)))
        }
        rules.append((["socket", "ioctl"][Int(random.next() % 2)], conditions, action))
      }
      let policy = Self.policy(rules)
      #expect(try Self.validate(policy) == .equal, "\(policy.rules)")
    }
  }

  @Test("i386 and x32 beside x86-64 are proved too, socketcall's copies of socket rules apart")
  func threeArchitectures() throws {
    let policy = Self.policy(
      [
        ("read", [], .allow), ("personality", [Self.condition(0, .equal(8))], .allow),
        ("ioctl", [Self.condition(1, .maskedEqual(mask: 0xffff_ffff, 0x5401))], .allow),
        ("socketcall", [], .allow), ("socket", [], .allow),
      ], architectures: [.x8664, .x86, .x32])
    #expect(try Self.validate(policy) == .equal)
  }
}
