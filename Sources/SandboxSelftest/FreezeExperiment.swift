import LinuxSystem
import SandboxLaunch
import SandboxPolicy

/// A keyboard that counts without end and has armed every way of being woken, and the host that
/// stops it. Whether it moves is seen in a file that it counts in, never heard from itself.
public final class FreezeExperiment {
  private let stage: Stage
  private let decoys: Decoys
  private let child: SandboxedChild
  private let attacker: Attacker

  public init(
    _ stage: Stage, grants: SandboxGrants, without: Set<SandboxLayer> = []
  ) throws(SelftestError) {
    self.stage = stage
    decoys = try Decoys(.none, stage: stage)
    do {
      child = try SandboxedChild.spawn(
        stage.request(
          decoys, arguments: ["freeze", decoys.secret], grants: grants, without: without),
        launcher: stage.launcher)
    } catch let error as SelftestError {
      throw error
    } catch {
      throw SelftestError("\(error)")
    }
    attacker = Attacker(.inside(child))
  }

  deinit {
    attacker.end()
    for process in Machine.processes(with: decoys.secret)
    where process != ProcessControl.identifier {
      Machine.end(process, knownBy: decoys.secret)
    }
  }

  /// Launches it, and waits until it counts.
  public func start() throws(SelftestError) {
    try attacker.launch()
    guard attacker.wait(for: "ready", milliseconds: 10_000) else {
      throw SelftestError("the attacker did not start: \(attacker.words)")
    }
    attacker.tell("go")
    guard attacker.wait(for: "spinning", milliseconds: 10_000) else {
      throw SelftestError("the attacker does not count: \(attacker.words)")
    }
  }

  /// How far both of its threads have counted.
  public func counters() throws(SelftestError) -> [UInt8] {
    guard let bytes = Machine.contents("\(decoys.folder)/container/counter"), bytes.count >= 16
    else { throw SelftestError("there is no counter: \(attacker.words)") }
    return Array(bytes.prefix(16))
  }

  /// Stops it as the host does for a secure field, and waits until it has.
  public func freeze() throws(SelftestError) {
    do {
      _ = try child.stop()
    } catch {
      throw SelftestError("it cannot be stopped: \(error)")
    }
    for _ in 0..<500 {
      if child.confirmStopped() { return }
      attacker.turn(2)
    }
    throw SelftestError("it has not stopped in a second")
  }

  /// What a careless host would write.
  public func tell(_ line: String) { attacker.tell(line) }

  /// Whether the kernel has told of a continuation since the stop.
  public var hasWoken: Bool { child.hasWoken() }

  /// Whether the kernel says that it is stopped.
  public var isStopped: Bool {
    guard let text = Machine.text("/proc/\(child.processIdentifier)/stat"),
      let end = text.lastIndex(of: ")")
    else { return false }
    return text[text.index(end, offsetBy: 2)...].hasPrefix("T")
  }
}
