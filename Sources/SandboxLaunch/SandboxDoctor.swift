import ClassicBPF
import LinuxSystem
import SandboxPolicy

/// What a keyboard would get on this machine: what the kernel offers, and a real launch.
public struct SandboxDoctor {
  /// How the trial went.
  public enum Trial: Sendable, Equatable {
    /// The program ran to its end behind these layers.
    case works(EnforcementReport)
    /// It was not started.
    case fails(LaunchError)
    /// It was started, and did not end well: the policy forbids what every program needs.
    case ends(EnforcementReport, ProcessStatus)
  }

  public let kernel: KernelFacts
  public let trial: Trial

  /// The program of the trial, of coreutils: it does nothing, with the C library.
  static let program = "/usr/bin/true"

  /// Asks the kernel, and launches a program that does nothing as a keyboard would be launched.
  ///
  /// - Parameters:
  ///   - profile: the policy that keyboards are held to, for no grants.
  ///   - program: what its system calls compile to.
  ///   - launcher: the launcher's path.
  ///   - identity: as root, an id that no keyboard has.
  ///   - allowWeaker: layers to do without, to see what would be left.
  public init(
    profile: ResolvedProfile, program: BPFProgram, launcher: String, identity: UInt32?,
    allowWeaker: Set<SandboxLayer> = []
  ) {
    kernel = KernelFacts()
    do {
      let container = try TemporaryFolder(name: "keyhost-doctor", owner: identity)
      let request = LaunchRequest(
        executable: Self.program, bundlePath: "/usr/bin", containerPath: container.path,
        profile: profile, program: program, identity: identity, allowWeaker: allowWeaker)
      trial = try Self.launch(request, launcher: launcher)
      // Removed now that the program has ended, and not before.
      _ = consume container
    } catch let error as LaunchError {
      trial = .fails(error)
    } catch {
      trial = .fails(
        LaunchError(
          layer: nil, step: "making a folder under /tmp", errno: error as? Errno,
          advice: "See that /tmp is there and not full."))
    }
  }

  /// Seconds after which the trial is given up.
  private static let patience: Int32 = 10

  private static func launch(
    _ request: LaunchRequest, launcher: String
  ) throws(LaunchError) -> Trial {
    Signals.ignorePipe()
    let child = try SandboxedChild.spawn(request, launcher: launcher)
    let deadline = MonotonicClock.nanoseconds + UInt64(patience) * 1_000_000_000
    var report: EnforcementReport?
    while MonotonicClock.nanoseconds < deadline {
      var entries = [
        PollEntry(report == nil ? -1 : child.pidDescriptor, .input),
        PollEntry(child.statusDescriptor ?? -1, .input),
        PollEntry(child.listenerDescriptor ?? -1, .input),
      ]
      _ = try? poll(&entries, milliseconds: 100)
      if let report {
        _ = child.handleNotifications()
        guard let status = child.reap() else { continue }
        return status == .exited(0) ? .works(report) : .ends(report, status)
      }
      switch try child.advance() {
      case .pending: break
      case .standing: try child.proceed()
      case .running(let found): report = found
      }
    }
    throw LaunchError(
      layer: nil, step: "the trial did not end within \(patience) seconds", errno: nil,
      advice: "Try again when the machine is less busy.")
  }

  /// Whether keyboards can be started here without weakening anything.
  public var isHealthy: Bool {
    if case .works = trial { true } else { false }
  }

  /// The trial's report, if it got that far.
  public var report: EnforcementReport? {
    switch trial {
    case .works(let report), .ends(let report, _): report
    case .fails: nil
    }
  }
}
