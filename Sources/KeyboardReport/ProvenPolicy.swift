import KeyboardHost
import PolicyAudit
import SandboxPolicy
import Seccomp

/// What a keyboard may do in one state of its grants, told from the very program that the host
/// would put around it: nothing here is read off the policy's text.
public struct ProvenPolicy: Sendable {
  /// One call of this machine's own architecture.
  public struct Call: Sendable, Hashable {
    public let name: String
    public let number: UInt32
    public let treatment: CallTreatment
  }

  public let grants: SandboxGrants
  /// SHA-256 of the program, as the launch lines of the audit log have it.
  public let digest: String
  /// The program's length.
  public let instructions: Int
  /// The architecture of ``calls``, as people write it.
  public let architecture: String
  /// By number.
  public let calls: [Call]
  /// The claims that are made for this state, by name.
  public let claims: [ProvenClaim]
  /// Files as Landlock and the private root keep them.
  public let files: [FileRule]
  public let limits: SandboxLimits
  /// What the other state is compared with.
  let subject: FilterSubject

  /// Compiles the policy as a launch does, proves the program equal to it, and follows the program
  /// for every input.
  ///
  /// - Throws: when no keyboard could be started by the policy, or it is too complicated to follow.
  public init(_ profile: SandboxProfile, grants: SandboxGrants, claims: [Claim]) throws {
    guard let native = SeccompArchitecture.native else {
      throw AuditError("the audit knows no filters of this machine's architecture")
    }
    let prepared = try PreparedPolicy(profile, grants: grants)
    let space = CallSpace(native: native, table: LibseccompTable())
    subject = FilterSubject(
      name: grants.stateName, programs: [prepared.program], policy: prepared.profile.systemCalls)
    let explanation = try Explanation(of: subject, space: space)
    let prover = try ClaimProver(about: subject, space: space)
    self.grants = grants
    digest = prepared.digest
    instructions = prepared.program.instructions.count
    architecture = CallSpace.shortName(native)
    calls = explanation.calls.filter { $0.architecture == native }.map { call in
      Call(
        name: call.name, number: call.number, treatment: CallTreatment(of: call, grants: grants))
    }
    self.claims = try claims.filter { $0.holds.contains(grants.stateName) }.map { claim in
      ProvenClaim(name: claim.name, title: claim.title, outcome: try prover.prove(claim))
    }
    files = prepared.profile.files
    limits = prepared.profile.limits
  }

  /// How many calls are treated in this way.
  public func count(_ treatment: CallTreatment) -> Int {
    calls.count { $0.treatment == treatment }
  }

  /// The claims that did not hold.
  public var brokenClaims: [ProvenClaim] { claims.filter { !$0.isProven } }

  /// What a grant changes, by meaning.
  public func changes(since less: ProvenPolicy) throws(AuditError) -> [FilterDifference.Change] {
    guard let native = SeccompArchitecture.native else { return [] }
    let space = CallSpace(native: native, table: LibseccompTable())
    return try FilterDifference(from: less.subject, to: subject, space: space).changes
  }
}
