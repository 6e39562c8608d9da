/// A promise of the sandbox, and the layers that keep it.
///
/// This is the table that `keyhost doctor` prints and the tests read: where two layers are named,
/// each keeps the promise alone.
public struct SandboxPromise: Sendable, Equatable {
  /// A short name that does not change.
  public let name: String
  /// What a keyboard cannot do, for people.
  public let meaning: String
  /// The layer that is met first.
  public let first: Set<SandboxLayer>
  /// The layers, together, that keep the promise without the first; empty if there are none.
  public let second: Set<SandboxLayer>
  /// What the layers' names do not say.
  public let remark: String?

  public static let all: [SandboxPromise] = [
    SandboxPromise(
      name: "foreign-files", meaning: "read or change files that are not its own",
      first: [.landlock], second: [.privateRoot], remark: nil),
    SandboxPromise(
      name: "file-metadata", meaning: "see or change names, times and modes of foreign files",
      first: [.privateRoot], second: [],
      remark: "Landlock does not cover stat, chmod and times: no second layer"),
    SandboxPromise(
      name: "network", meaning: "reach a network without the user's consent",
      first: [.seccomp], second: [.networkNamespace], remark: "no socket of any family"),
    SandboxPromise(
      name: "local-services", meaning: "reach local services, and the microphone through them",
      first: [.seccomp], second: [.privateRoot, .networkNamespace],
      remark: "with the user's consent to a network as well; then a connect is the host's to make"),
    SandboxPromise(
      name: "microphone", meaning: "open a sound device, whatever was granted",
      first: [.privateRoot], second: [.landlock],
      remark: "there is none in the private root, and none among the places of the policy"),
    SandboxPromise(
      name: "other-processes", meaning: "see, signal or inspect other processes",
      first: [.seccomp], second: [.processNamespace],
      remark: "and Landlock's signal scope from ABI 6"),
    SandboxPromise(
      name: "new-processes", meaning: "start other programs or processes",
      first: [.seccomp], second: [],
      remark: "a limit bounds their number where it can: no second layer"),
    SandboxPromise(
      name: "terminal", meaning: "type into a terminal",
      first: [.seccomp], second: [.session, .descriptors],
      remark: "no terminal is open, and none is its session's"),
    SandboxPromise(
      name: "kernel-surface", meaning: "use foreign architectures or calls nobody needs",
      first: [.seccomp], second: [], remark: "proved by the policy audit: no second layer"),
  ]
}

extension SandboxPromise {
  /// What a launch's report means for this promise. A layer that is only `partly` in force counts:
  /// `partly` is told only of what other layers cover.
  public func state(_ report: EnforcementReport) -> PromiseState {
    func holds(_ layers: Set<SandboxLayer>) -> Bool {
      layers.allSatisfy { layer in
        switch report[layer] {
        case .enforced, .partly: true
        case .unavailable, .notRequested: false
        }
      }
    }
    let isFirstKept = holds(first)
    let isSecondKept = !second.isEmpty && holds(second)
    if isFirstKept, isSecondKept || second.isEmpty { return .kept }
    return isFirstKept || isSecondKept ? .keptByOne : .notKept
  }
}
