import ClassicBPF
import KeyboardHost
import PolicyAudit
import SandboxPolicy
import Seccomp

/// A process as `keyhost audit inspect` tells of it: what the kernel says, what is known of its
/// filters, and the launch in the log.
struct InspectionReport {
  /// A filter, and the shipped policy it equals.
  struct Filter {
    var instructions: Int
    var digest: String
    /// `keyboard` or `keyboard+open-access`; nil for none.
    var policy: String?
    /// Whether it is the very program, and not only one that means the same.
    var isSameProgram: Bool
  }

  let process: ProcessInspection
  /// The oldest first; empty where they could not be read.
  let filters: [Filter]
  /// Nil inside for a process that the log does not have.
  let launch: ProcessInspection.Reading<LaunchRecord?>
  let log: String

  var isComplete: Bool {
    guard process.isComplete, case .read = launch else { return false }
    return true
  }

  init(_ process: ProcessInspection, log: String) {
    self.process = process
    self.log = log
    let programs = process.filters.value ?? []
    let ours = programs.isEmpty ? [] : AuditInput.shippedPolicies()
    filters = programs.map { Self.filter($0, ours) }
    do {
      launch = .read(
        try LaunchRecord.of(process: Int(process.process), start: process.start, inLog: log))
    } catch {
      launch = .notPermitted("\(error)")
    }
  }

  private static func filter(
    _ program: BPFProgram, _ ours: [(name: String, subject: FilterSubject)]
  ) -> Filter {
    var filter = Filter(
      instructions: program.instructions.count, digest: program.digest, policy: nil,
      isSameProgram: false)
    if let same = ours.first(where: { $0.subject.programs == [program] }) {
      filter.policy = same.name
      filter.isSameProgram = true
      return filter
    }
    guard let native = SeccompArchitecture.native else { return filter }
    let space = CallSpace(native: native, table: LibseccompTable())
    let subject = FilterSubject(name: "filter", programs: [program])
    filter.policy =
      ours.first {
        (try? FilterDifference(from: $0.subject, to: subject, space: space))?.isEmpty == true
      }?.name
    return filter
  }

  /// Whether the launch's policy is among the filters in force; nil where that is not known.
  var launchPolicyIsInForce: Bool? {
    guard case .read(let record?) = launch, process.filters.value != nil else { return nil }
    return filters.contains { $0.digest == record.policy }
  }
}
