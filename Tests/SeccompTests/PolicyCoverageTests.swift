import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// What the policies decide, and that they decide everything.
@Suite struct PolicyCoverageTests {
  /// The last call of the oldest libseccomp that is supported (2.5.4).
  static let lastKnown: UInt32 = 450

  @Test("every call up to the newest of the oldest supported libseccomp is decided by name")
  func everyCallIsDecided() throws {
    let policy = try Policies.resolved(openAccess: false)
    let evaluator = PolicyEvaluator(policy, table: Policies.table)
    for number in 0...Self.lastKnown {
      let name = Policies.table.name(of: number, on: .x8664)
      #expect(
        (evaluator.entry(for: number, on: .x8664) != nil) == (name != nil), "\(name ?? "\(number)")"
      )
    }
    #expect(evaluator.numbers(on: .x8664).max() == Self.lastKnown)
  }

  @Test("open access never takes anything away, and adds to these calls only")
  func grantOnlyAdds() throws {
    let base = PolicyEvaluator(try Policies.resolved(openAccess: false), table: Policies.table)
    let open = PolicyEvaluator(try Policies.resolved(openAccess: true), table: Policies.table)
    var changed: [String] = []
    for number in base.numbers(on: .x8664) {
      let before = base.entry(for: number, on: .x8664)
      let after = open.entry(for: number, on: .x8664)
      if before == after { continue }
      changed.append(Policies.table.name(of: number, on: .x8664) ?? "\(number)")
      #expect(before?.rules.contains { $0.action.permits } == false)
      #expect(after?.rules.allSatisfy { $0.action == .allow } == true)
    }
    #expect(
      changed == [
        "socket", "sendto", "recvfrom", "sendmsg", "recvmsg", "shutdown", "getsockname",
        "getpeername", "setsockopt", "getsockopt", "sendmmsg",
      ])
  }

  @Test("the base policy alone is one any container tool can read, without notes")
  func baseIsOCI() throws {
    let profile = try Policies.keyboard()
    #expect(profile.notes.isEmpty, "\(profile.notes)")
  }

  @Test("no policy ends a thread instead of the process, or allows calls nobody knows")
  func actions() throws {
    for openAccess in [false, true] {
      let policy = try Policies.resolved(openAccess: openAccess)
      #expect(policy.foreignArchitectureAction == .killProcess)
      #expect(policy.unknownCallAction == .errno(38))
      #expect(policy.defaultAction == .errno(1))
      #expect(policy.rules.allSatisfy { $0.action != .killThread && $0.action != .errno(0) })
    }
  }
}
