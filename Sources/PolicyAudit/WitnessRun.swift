import LinuxSystem
import SandboxPolicy

/// What the running kernel did with a witness, under the very filter and without it.
public struct WitnessRun: Sendable, Equatable {
  /// Whether the kernel, judging by the filter, let the call through.
  public var isLetThrough: Bool
  /// What became of the call under the filter; nil when it was only judged.
  public var outcome: CallTrial.Outcome?
  /// What becomes of it without a filter: an error there is the kernel's own. Nil when it was only
  /// judged.
  public var unfiltered: CallTrial.Outcome?
  /// Why the kernel only judged the call, and did not make it; nil when it did.
  public var reasonNotMade: String?

  /// Makes the call of a witness, in a process that can do no harm. A call whose effect would leave
  /// such a process, or is not known, is judged by the kernel and not made.
  ///
  /// - Throws: when it cannot be made here, with the reason.
  public init(of witness: Witness, under subject: FilterSubject) throws(AuditError) {
    let way = try Self.way(of: witness)
    var trial = CallTrial(
      filters: subject.programs.map(\.bytes), number: Int64(witness.input.number),
      arguments: witness.input.arguments, way: way)
    reasonNotMade =
      witness.architecture.map {
        JudgedOnlyCalls.reason(witness.input.number, on: $0)
      } ?? "what this call does is not known here"
    do throws(CallTrial.Failure) {
      isLetThrough = try trial.isLetThrough()
      if reasonNotMade != nil { return }
      outcome = try trial.run()
      trial.filters = []
      unfiltered = try trial.run()
    } catch { throw AuditError("\(error)") }
  }

  private static func way(of witness: Witness) throws(AuditError) -> CallTrial.Way {
    switch witness.architecture {
    case SeccompArchitecture.native?: return .native
    // The kernel looks at the filter before it looks whether it has such a call.
    case .x32? where SeccompArchitecture.native == .x8664: return .native
    case .x86? where SeccompArchitecture.native == .x8664:
      // 20 is getpid. Without 32-bit programs the interrupt is a fault.
      let probe = CallTrial(filters: [], number: 20, arguments: [], way: .i386)
      guard case .returned? = try? probe.run() else {
        throw AuditError("this kernel runs no 32-bit programs (CONFIG_IA32_EMULATION)")
      }
      return .i386
    default: throw AuditError("no program of that architecture can be run on this machine")
    }
  }

  /// Whether the kernel contradicts what was found by following the program.
  public func contradicts(_ action: SeccompAction) -> Bool { isLetThrough != action.permits }

  /// For example `let through: socket returned descriptor 0; without the filter: the same`.
  ///
  /// - Parameter call: the call's name, if it has one.
  public func description(of call: String?) -> String {
    let judged = isLetThrough ? "let through" : "not let through"
    guard let outcome, let unfiltered else {
      return "\(judged), and not made: \(reasonNotMade ?? "the kernel only judged it")"
    }
    let done = Self.text(outcome, call)
    let rest =
      outcome == unfiltered ? "the same" : Self.text(unfiltered, call)
    return "\(judged): \(done); without the filter: \(rest)"
  }

  /// An outcome in words.
  public static func text(_ outcome: CallTrial.Outcome, _ call: String?) -> String {
    let name = call ?? "the call"
    switch outcome {
    case .returned(let value):
      return descriptorCalls.contains(name)
        ? "\(name) returned descriptor \(value)" : "\(name) returned \(value)"
    case .failed(let error): return "\(name) failed with \(error)"
    case .ended(let status): return "the process \(status)"
    case .stillRunning: return "\(name) had not returned after a second"
    }
  }

  /// Calls whose result is a new descriptor.
  private static let descriptorCalls: Set<String> = [
    "accept", "accept4", "bpf", "creat", "epoll_create", "epoll_create1", "eventfd", "eventfd2",
    "fanotify_init", "fsmount", "fsopen", "fspick", "inotify_init", "inotify_init1",
    "io_uring_setup", "landlock_create_ruleset", "memfd_create", "memfd_secret", "mq_open", "open",
    "open_by_handle_at", "open_tree", "openat", "openat2", "perf_event_open", "pidfd_getfd",
    "pidfd_open", "signalfd", "signalfd4", "socket", "timerfd_create", "userfaultfd",
  ]
}
