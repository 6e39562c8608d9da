import SandboxLaunch
import SandboxPolicy

/// What stands behind a promise of the sandbox: claims proven of the programs, and layers seen in
/// force.
public struct PromiseEvidence: Sendable {
  public let promise: SandboxPromise
  /// The names of the claims by which the filter keeps the promise; empty where other layers do.
  public let claimNames: [String]
  /// The state of the grants in which the user has lifted the promise, in the bounds of the claims.
  public let isLiftedByOpenAccess: Bool

  /// One entry a promise, in the order of the table.
  public static let all: [PromiseEvidence] = SandboxPromise.all.map { promise in
    PromiseEvidence(
      promise: promise, claimNames: claimNames[promise.name] ?? [],
      isLiftedByOpenAccess: promise.name == "network")
  }

  /// Claims of no promise to the user: that the host keeps its hold on the keyboard.
  public static let supervisionClaims = ["stays-frozen", "stays-watched", "within-limits"]

  private static let claimNames: [String: [String]] = [
    "foreign-files": ["no-unjudged-files"],
    "network": ["no-network", "tcp-only", "no-connection-around-the-broker"],
    "local-services": ["no-network", "tcp-only"],
    "microphone": ["no-microphone-route"],
    "other-processes": ["no-ptrace", "no-signals", "no-marks-on-shared-files"],
    "new-processes": ["no-new-process", "no-new-program"],
    "terminal": ["no-terminal-injection"],
    "kernel-surface": [
      "native-only", "no-io-uring", "no-kernel-surface", "no-mount", "no-user-namespace",
    ],
  ]

  /// The promise's claims that are made for a state of the grants, with their proofs.
  public func claims(in policy: ProvenPolicy) -> [ProvenClaim] {
    claimNames.compactMap { name in policy.claims.first { $0.name == name } }
  }

  /// How far the layers keep it here; nil when no trial was made.
  public func state(_ trial: SandboxTrial) -> PromiseState? { trial.report.map(promise.state) }
}
