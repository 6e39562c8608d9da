import ClassicBPF
import SandboxPolicy

/// A filter to be audited, wherever it comes from.
public struct FilterSubject: Sendable {
  /// What it was read from, for messages.
  public var name: String
  /// The programs, in the order in which they were loaded. Of several the strictest answer wins.
  public var programs: [BPFProgram]
  /// The policy the program was compiled from, where there is one.
  public var policy: ResolvedSeccompPolicy?
  /// What was noticed in reading and resolving the policy.
  public var notes: [PolicyNote]

  public init(
    name: String, programs: [BPFProgram], policy: ResolvedSeccompPolicy? = nil,
    notes: [PolicyNote] = []
  ) {
    self.name = name
    self.programs = programs
    self.policy = policy
    self.notes = notes
  }

  /// The filter's answer to a call, as the kernel computes it for stacked programs.
  public func action(for input: SeccompData) -> SeccompAction {
    let newestFirst = programs.reversed().map { SeccompAction(returnValue: $0.run(on: input)) }
    return newestFirst.reduce(.allow) { $1.strictness < $0.strictness ? $1 : $0 }
  }
}

extension Dictionary where Key == SeccompAction {
  /// By the value that a program returns for them: work that is done in an order of chance would
  /// take another number of steps each time.
  var ordered: [Element] { sorted { $0.key.returnValue < $1.key.returnValue } }
}

extension SeccompAction {
  /// The order in which the kernel prefers the answers of stacked filters; the smallest wins.
  var strictness: Int {
    switch self {
    case .killProcess: 0
    case .killThread: 1
    case .trap: 2
    case .errno: 3
    case .notify: 4
    case .trace: 5
    case .log: 6
    case .allow: 7
    }
  }
}
