import SandboxLaunch
import SandboxPolicy

/// The attack classes, run on this machine.
public struct Selftest {
  private let runner: AttackRunner
  /// How much is shown of each attack.
  public enum Depth: Sendable {
    /// Outside, and inside with every layer, in each state of the grants.
    case whole
    /// Also with each listed layer alone, and with none of them.
    case layers
  }

  public init(_ stage: Stage) { runner = AttackRunner(stage) }

  /// One attack.
  ///
  /// - Parameter without: layers left out of every run inside; nothing is proved of layers then.
  /// - Throws: when the stage itself fails.
  public func run(
    _ attack: Attack, _ depth: Depth = .layers, without: Set<SandboxLayer> = []
  ) throws(SelftestError) -> AttackResult {
    func result(_ verdict: AttackResult.Verdict, _ remark: String = "") -> AttackResult {
      AttackResult(attack: attack, verdict: verdict, remark: remark)
    }
    if attack.needsRoot, !Machine.isRoot {
      return result(.notTestable("only root can do this at all"))
    }
    let outside: Observation
    do {
      outside = try Self.control { () throws(SelftestError) in try runner.outside(attack) }
    } catch {
      guard error.isOfDecoy else { throw error }
      return result(.notTestable(error.description))
    }
    guard outside.succeeded else {
      return result(.notTestable("does not work here outside either: \(outside.remark)"))
    }
    let inside = try runner.inside(attack, without: without)
    if inside.succeeded { return result(.gotThrough("without open access"), inside.remark) }
    if !attack.isAllowedWithOpenAccess {
      let open = try runner.inside(
        attack, grants: SandboxGrants(openAccess: true), without: without)
      if open.succeeded { return result(.gotThrough("with open access"), open.remark) }
    }
    guard without.isEmpty, depth == .layers else {
      return result(.refused(by: []), inside.remark)
    }
    return try layers(attack, inside)
  }

  /// A run that should succeed: races are not won each time, on a busy machine least of all.
  private static func control(
    _ run: () throws(SelftestError) -> Observation
  ) throws(SelftestError) -> Observation {
    let first = try run()
    return first.succeeded ? first : try run()
  }

  /// Each group of layers alone, and none of them.
  private func layers(
    _ attack: Attack, _ inside: Observation
  ) throws(SelftestError) -> AttackResult {
    let protection = attack.protection
    let all = protection.layers.reduce(protection.incidental) { $0.union($1) }
    func result(_ verdict: AttackResult.Verdict) -> AttackResult {
      AttackResult(attack: attack, verdict: verdict, remark: inside.remark)
    }
    let grants = SandboxGrants(openAccess: attack.isOfOpenAccess)
    for group in protection.layers {
      let alone = try runner.inside(
        attack, grants: grants, without: Self.possible(all.subtracting(group)))
      if alone.succeeded {
        return result(.gotThrough("with \(Self.names(group)) alone"))
      }
    }
    let none = try Self.control { () throws(SelftestError) in
      try runner.inside(attack, grants: grants, without: Self.possible(all))
    }
    guard none.succeeded else {
      return result(
        .unproven("without \(Self.names(all)) it does not work either: \(none.remark)"))
    }
    return result(.refused(by: protection.layers))
  }

  /// An ordinary user needs the user namespace for the other namespaces, and no new privileges for
  /// the filter and for Landlock.
  static func possible(_ without: Set<SandboxLayer>) -> Set<SandboxLayer> {
    var result = without
    let others: Set<SandboxLayer> = [.privateRoot, .networkNamespace, .processNamespace]
    if !others.isSubset(of: without) { result.remove(.userNamespace) }
    let filters: Set<SandboxLayer> = [.seccomp, .landlock]
    if !filters.isSubset(of: without) { result.remove(.noNewPrivileges) }
    return result
  }

  /// In the order in which they are applied: `landlock and seccomp`.
  public static func names(_ layers: Set<SandboxLayer>) -> String {
    SandboxLayer.allCases.filter(layers.contains).map(\.rawValue).joined(separator: " and ")
  }
}
