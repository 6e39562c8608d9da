import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp

/// A policy for one state of the grants, with the program it compiles to. There is none that has
/// not been proved to mean what the policy says: libseccomp does not compile everything rightly.
public struct PreparedPolicy: Sendable {
  public let profile: ResolvedProfile
  public let program: BPFProgram
  public let digest: String

  /// - Throws: when the policy does not resolve or compile, or the program is not what it says.
  public init(_ profile: SandboxProfile, grants: SandboxGrants) throws {
    let table = LibseccompTable()
    let resolved = try profile.resolve(grants: grants, table: table)
    let program = try SeccompCompiler().compile(resolved.systemCalls)
    let outcome = try PolicyValidator().validate(
      program, against: resolved.systemCalls, table: table)
    if case .different(let counterexample) = outcome {
      throw KeyboardStarter.Failure(
        description: "the compiled filter is not what the policy says, and is not used: "
          + "\(counterexample)")
    }
    self.profile = resolved
    self.program = program
    digest = program.digest
  }
}
