import LaunchPlanFormat
import LinuxSystem

/// Files, TCP and scopes by Landlock(7).
enum LandlockLayer {
  /// The oldest ABI that is enough: Debian 12's kernel has it.
  private static let floor = 2

  /// - Returns: the state, and the ABI whose rights are in force.
  static func apply(_ plan: LaunchPlan) throws(LayerFailure) -> (LayerState, Int) {
    let reported = plan.emulatedLandlockABI.map(Int.init) ?? Landlock.kernelABI
    guard reported >= 1 else {
      throw LayerFailure("the kernel has no Landlock, or has it switched off")
    }
    guard reported >= floor || plan.allowWeaker.contains(.landlock) else {
      throw LayerFailure("the kernel's Landlock ABI is \(reported), and \(floor) is needed")
    }
    let abi = min(reported, Landlock.newestKnownABI)
    let rules = try attempt("making a ruleset for ABI \(abi)") { () throws(Errno) in
      try LandlockRuleset(abi: abi)
    }
    for rule in plan.pathRules { try add(rule, to: rules) }
    try attempt("restricting files by Landlock ABI \(abi)") { () throws(Errno) in
      try rules.restrictSelf()
    }
    return (state(abi), abi)
  }

  private static func add(
    _ rule: LaunchPlan.PathRule, to rules: borrowing LandlockRuleset
  ) throws(LayerFailure) {
    guard let place = try open(rule) else { return }
    let status = try attempt("examining \(rule.path)") { () throws(Errno) in try place.status() }
    var access = LandlockFileAccess(rawValue: rule.rights)
    if status.kind != .directory { access.formIntersection(.forFiles) }
    try attempt("allowing \(rule.path)") { () throws(Errno) in
      try rules.allow(access, beneath: place)
    }
  }

  /// Nil for what is not there and need not be.
  private static func open(
    _ rule: LaunchPlan.PathRule
  ) throws(LayerFailure) -> FileDescriptor? {
    do {
      return try FileDescriptor.open(rule.path, .pathOnly)
    } catch {
      if !rule.isRequired, error == .noSuchFile || error == .notDirectory { return nil }
      throw LayerFailure("opening \(rule.path)", error)
    }
  }

  /// What a kernel of an older ABI cannot restrict; another layer covers each (see the promises).
  private static func state(_ abi: Int) -> LayerState {
    let missing = [
      (1, "renaming between folders"), (2, "truncate"), (4, "ioctl of devices"),
      (3, "TCP"), (5, "signals and abstract sockets"),
    ].filter { abi <= $0.0 }.map(\.1)
    return missing.isEmpty
      ? .enforced
      : .partly("ABI \(abi) cannot restrict \(missing.joined(separator: ", ")); other layers do")
  }
}
