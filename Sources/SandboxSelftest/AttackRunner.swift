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
      // What a careless starter leaves open is open in its children.
      for descriptor in decoys.inheritedDescriptors {
        try FileDescriptor.setCloseOnExec(descriptor, false)
      }
      body = try Attacker.Outside(
        stage.probe, arguments: decoys.arguments(attack),
        environment: ["TMPDIR=\(decoys.folder)/container"])
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
      for descriptor in decoys.inheritedDescriptors {
        try FileDescriptor.setCloseOnExec(descriptor, false)
      }
      child = try SandboxedChild.spawn(
        stage.request(
          decoys, arguments: decoys.arguments(attack), grants: grants, without: without),
        launcher: stage.launcher)
    } catch let error as SelftestError {
      throw error
    } catch {
      throw SelftestError("\(error)")
    }
    return try observe(attack, decoys, Attacker(.inside(child)))
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
    _ = attacker.wait(for: "end", milliseconds: Self.patience)
    attacker.turn(0)
    let succeeded = judge.hasSucceeded()
    return Observation(
      succeeded: succeeded, end: attacker.status, violations: attacker.violations,
      words: attacker.words)
  }

  /// An attacker that has not come to its end in this time waits for something in vain.
  private static let patience: UInt64 = 3_000
}
