import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite struct ValidationTests {
  static let table = LibseccompTable()

  static func keyboard(openAccess: Bool) throws -> ResolvedSeccompPolicy {
    let folder = "\(SourceTree.root)/Policies"
    return try SandboxProfile(
      parsing: try Files.read("\(folder)/keyboard.json"), file: "keyboard.json"
    ) { path throws(PolicyError) in
      do { return try Files.read("\(folder)/\(path)") } catch { throw PolicyError("\(error)") }
    }.resolve(grants: SandboxGrants(openAccess: openAccess), table: table).systemCalls
  }

  @Test("the shipped programs are proved equal to their policies", arguments: [false, true])
  func shipped(openAccess: Bool) throws {
    let policy = try Self.keyboard(openAccess: openAccess)
    let program = try SeccompCompiler().compile(policy)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try PolicyValidator().validate(program, against: policy, table: Self.table)
    print("validated in", clock.now - start, program.instructions.count)
    #expect(outcome == .equal)
  }
}
