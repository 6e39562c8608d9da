import LinuxSystem
import SandboxLaunch
import SandboxPolicy

/// Makes attacks, outside and inside.
public struct AttackRunner {
  let stage: Stage

  public init(_ stage: Stage) { self.stage = stage }

  /// The attack with nothing around the attacker: a plain child of this process.
  public func outside(_ attack: Attack) throws(SelftestError) -> Observation {
    let decoys = try decoys(attack)
    let body: Attacker.Outside
    do {
      body = try Starting.one(leavingOpen: decoys.inheritedDescriptors) {
        try Attacker.Outside(
          stage.probe, arguments: decoys.arguments(attack),
          environment: ["TMPDIR=\(decoys.folder)/container"])
      }
    } catch {
      throw SelftestError("cannot start the attacker: \(error)")
    }
    return try observe(attack, decoys, Attacker(.outside(body)))
  }

  /// The attack in the sandbox, of which some layers may be left out.
  public func inside(
    _ attack: Attack, grants: SandboxGrants = SandboxGrants(), without: Set<SandboxLayer> = []
  ) throws(SelftestError) -> Observation {
    let decoys = try decoys(attack)
    let child: SandboxedChild
    do {
      let request = try stage.request(
        decoys, arguments: decoys.arguments(attack), grants: grants, without: without)
      child = try Starting.one(leavingOpen: decoys.inheritedDescriptors) {
        try SandboxedChild.spawn(request, launcher: stage.launcher)
      }
    } catch let error as SelftestError {
      throw error
    } catch {
      throw SelftestError("\(error)")
    }
    return try observe(
      attack, decoys, Attacker(.inside(child), hasOpenAccess: grants.openAccess))
  }

  private func decoys(_ attack: Attack) throws(SelftestError) -> Decoys {
    do {
      return try Decoys(attack.decoy, stage: stage)
    } catch {
      throw SelftestError(error.description, isOfDecoy: true)
    }
  }

  private func observe(
    _ attack: Attack, _ decoys: Decoys, _ attacker: Attacker
  ) throws(SelftestError) -> Observation {
    try attacker.launch()
    guard attacker.wait(for: "ready", milliseconds: 10_000) else {
      attacker.end()
      throw SelftestError("the attacker did not start: \(attacker.words)")
    }
    let judge = Judge(attack, decoys, attacker)
    defer { judge.cleanUp() }
    attacker.tell("go")
    let succeeded = wait(attacker, judge)
    return Observation(
      succeeded: succeeded, end: attacker.status, violations: attacker.violations,
      words: attacker.words)
  }

  /// Until the evidence is there, or the attacker has come to its end.
  private func wait(_ attacker: Attacker, _ judge: Judge) -> Bool {
    let deadline = MonotonicClock.nanoseconds + Self.patience * 1_000_000
    var nextLook = MonotonicClock.nanoseconds + Self.lookInterval
    while !attacker.hasSaid("end"), attacker.status == nil {
      let now = MonotonicClock.nanoseconds
      if now >= deadline { break }
      if now >= nextLook {
        // Some attackers have no end: they have become something else.
        if judge.sees() { return true }
        nextLook = MonotonicClock.nanoseconds + Self.lookInterval
      }
      attacker.turn(10)
    }
    attacker.turn(0)
    return judge.hasSucceeded()
  }

  /// In nanoseconds.
  private static let lookInterval: UInt64 = 100_000_000

  /// An attacker that has not come to its end in this time waits for something in vain.
  private static let patience: UInt64 = 3_000
}
