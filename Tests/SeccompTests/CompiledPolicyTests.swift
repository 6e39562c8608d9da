import ClassicBPF
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// The compiled programs against the rules, call by call.
@Suite struct CompiledPolicyTests {
  @Test(
    "the compiled program answers every call as the policy's rules do",
    arguments: [false, true])
  func programEqualsPolicy(openAccess: Bool) throws {
    let policy = try Policies.resolved(openAccess: openAccess)
    let program = try SeccompCompiler().compile(policy)
    let evaluator = PolicyEvaluator(policy, table: Policies.table)
    var checked = 0
    let numbers = Array(0...600) + (0...600).map { $0 + 0x4000_0000 } + [UInt32.max, 0x7fff_ffff]
    for number in numbers {
      for arguments in boundaryArguments(evaluator.entry(for: number, on: .x8664)) {
        let expected = evaluator.action(
          auditValue: SeccompArchitecture.x8664.auditValue, number: number, arguments: arguments)
        let data = SeccompData(
          number: number, architecture: SeccompArchitecture.x8664.auditValue, arguments: arguments)
        let value = program.run(on: data)
        #expect(
          value == expected.returnValue,
          "\(number) \(arguments.map { String($0, radix: 16) }): \(expected)")
        if value != expected.returnValue { return }
        checked += 1
      }
    }
    #expect(checked > 1500)
  }

  /// Every combination, for the arguments that conditions look at, of 0, all ones, each datum, its
  /// neighbours in each bit of its mask, and those with the upper half changed.
  func boundaryArguments(_ entry: PolicyEvaluator.Entry?) -> [[UInt64]] {
    var values = [Set<UInt64>](repeating: [0], count: 6)
    for condition in entry?.rules.flatMap(\.conditions) ?? [] {
      var mask = UInt64.max
      var datum: UInt64 = 0
      switch condition.test {
      case .equal(let value): datum = value
      case .maskedEqual(let bits, let value):
        mask = bits
        datum = value
      default: continue
      }
      values[condition.index].formUnion([
        0, .max, datum, datum &+ 1 << 32, datum | ~mask, datum ^ (mask & (0 &- mask)),
        datum ^ mask, 0xffff_ffff,
      ])
    }
    var result: [[UInt64]] = [[]]
    for choices in values {
      result = result.flatMap { prefix in choices.sorted().map { prefix + [$0] } }
    }
    return result
  }
}
