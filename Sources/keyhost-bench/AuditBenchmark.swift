import ClassicBPF
import KeyboardHost
import LinuxSystem
import PolicyAudit
import SandboxPolicy
import Seccomp

/// What auditing policies costs: the program that a container tool would load, ours, and policies of
/// growing size.
struct AuditBenchmark {
  /// A published policy's file; nil for one made here of the same size.
  var published: String?
  var isQuick: Bool

  // Goals, in milliseconds and megabytes.
  private static let ownGoal = 100.0
  private static let containerGoal = 2_000.0
  private static let memoryGoal = 200.0

  private var rounds: Int { isQuick ? 2 : 15 }

  func run(_ report: inout Report) throws {
    report.rows.append(try own())
    let policy = try ContainerPolicy.subject(published)
    if published == nil {
      report.notes.append(
        "audit/validate-container is about a policy made here, of the size and the kinds of rules "
          + "of a container tool's; --policy FILE measures a real one")
    }
    report.rows.append(
      Row(
        name: "audit/validate-container", milliseconds: try measure { try Self.validate(policy) },
        goal: Self.containerGoal))
    report.rows.append(try memory())
    report.rows += try growth()
    report.rows.append(try explanation(policy))
  }

  /// Of the two states of our own profile the larger one, from its file to the proof.
  private func own() throws -> Row {
    let profile = try InstalledResources().profile()
    let prepared = try [false, true].map { openAccess in
      (openAccess, try PreparedPolicy(profile, grants: SandboxGrants(openAccess: openAccess)))
    }
    let largest =
      prepared.max { $0.1.program.instructions.count < $1.1.program.instructions.count }?.0 ?? true
    let summary = try measure {
      _ = try PreparedPolicy(profile, grants: SandboxGrants(openAccess: largest))
    }
    return Row(name: "audit/validate-own", milliseconds: summary, goal: Self.ownGoal)
  }

  /// The most memory that a process ever held which compiles, proves and explains the container
  /// tool's policy.
  private func memory() throws -> Row {
    let words = ["--audit-memory"] + (published.map { [$0] } ?? [])
    var samples: [Double] = []
    for _ in 0..<(isQuick ? 1 : 3) {
      let process = try PlainProcess("/proc/self/exe", words)
      defer { process.end() }
      _ = try process.exchange([0x0A])
      samples.append(try ProcessMemory.peak(process.identifier) / 1e6)
    }
    let summary = Summary(samples)
    return Row(
      name: "audit/memory", ratio: summary.median / Self.memoryGoal, goal: 1, unit: "MB",
      measured: summary, comparison: nil)
  }

  /// What the process of ``memory()`` does: the work at the first line, then an answer.
  static func answerWithMemory(published: String?) throws {
    _ = try FileDescriptor.read(from: 0, upTo: 1)
    let policy = try ContainerPolicy.subject(published)
    try validate(policy)
    _ = try Explanation(of: policy.read(), space: policy.space)
    _ = try FileDescriptor.write([0x0A], to: 3)
    // Until the other side has looked.
    _ = try FileDescriptor.read(from: 0, upTo: 1)
  }

  /// Validation by the number of rules, each row against the one before it: what doubling costs.
  private func growth() throws -> [Row] {
    var rows: [Row] = []
    var before: (count: Int, summary: Summary)?
    for count in [25, 50, 100, 200, 400] {
      let policy = ContainerPolicy(text: ContainerPolicy.text(rules: count, isContainers: false))
      let summary = try measure { try Self.validate(policy) }
      rows.append(
        Row(
          name: "audit/rules-\(count)", ratio: summary.median / (before?.summary ?? summary).median,
          goal: nil, unit: "ms", measured: summary,
          comparison: before.map { ("\($0.count) rules", $0.summary) }))
      before = (count, summary)
    }
    return rows
  }

  /// Explaining every call for all arguments, against asking the simulator about each call with a
  /// hundred sets of arguments, which is no answer but what there is without this.
  private func explanation(_ policy: ContainerPolicy) throws -> Row {
    let subject = try policy.read()
    let space = policy.space
    let contest = Contest(warmUp: 1, rounds: rounds)
    var answers = 0
    let summaries = try contest.run([
      {
        try Clock.measure { _ = try Explanation(of: subject, space: space) } / 1e3
      },
      {
        try Clock.measure {
          for architecture in space.architectures {
            for (number, _) in space.calls(on: architecture) {
              for value in UInt64(0)..<100 {
                let input = SeccompData(
                  number: number, architecture: architecture.auditValue, arguments: [value])
                if subject.action(for: input).permits { answers += 1 }
              }
            }
          }
        } / 1e3
      },
    ])
    return Row(
      name: "audit/explain", ratio: summaries[0].median / summaries[1].median, goal: nil,
      unit: "ms", measured: summaries[0], comparison: ("100 simulations a call", summaries[1]))
  }

  private func measure(_ work: @escaping () throws -> Void) throws -> Summary {
    try Contest(warmUp: 1, rounds: rounds).run([{ try Clock.measure(work) / 1e3 }])[0]
  }

  /// From the text of a policy to the proof of its program, for every architecture it names.
  private static func validate(_ policy: ContainerPolicy) throws {
    let subject = try policy.read()
    guard let resolved = subject.policy, let program = subject.programs.first,
      try PolicyValidator().validate(program, against: resolved, table: LibseccompTable()) == .equal
    else { throw BenchError("\(subject.name): the program is not what the policy says") }
  }
}

extension Row {
  /// A time against the goal's.
  fileprivate init(name: String, milliseconds summary: Summary, goal: Double) {
    self.init(
      name: name, ratio: summary.median / goal, goal: 1, unit: "ms", measured: summary,
      comparison: nil)
  }
}
