import CSandboxTesting
import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Testing

/// The running kernel as the judge of calls: it applies a subject's programs to them, and none is
/// made.
enum KernelJudge {
  /// What it says of one call.
  enum Verdict: Equatable {
    case letThrough
    case failed(Int32)
    case trapped
    case killed

    /// What a process without a supervisor or a tracer meets.
    init(_ action: SeccompAction) {
      switch action {
      case .allow, .log: self = .letThrough
      case .errno(let number): self = .failed(Int32(number))
      case .notify, .trace: self = .failed(38)
      case .trap: self = .trapped
      case .killProcess, .killThread: self = .killed
      }
    }
  }

  /// Whether 64-bit code of this machine can be judged.
  static let isAvailable: Bool = (try? verdicts(on: [nativeCall], Subjects.everything)) != nil
  /// Whether the kernel runs 32-bit code.
  static let hasI386: Bool = {
    let call = SeccompData(number: 20, architecture: SeccompArchitecture.x86.auditValue)
    return (try? verdicts(on: [call], Subjects.everything)) == [.letThrough]
  }()

  private static let nativeCall = SeccompData(
    number: 39, architecture: SeccompArchitecture.x8664.auditValue)

  /// Whether a call can be put to this machine's kernel.
  static func canJudge(_ input: SeccompData) -> Bool {
    switch input.architecture {
    // A number beyond 32 bits' sign is no call, and tracers use it to have calls skipped.
    case SeccompArchitecture.x8664.auditValue: input.number != SeccompArchitecture.skippedCall
    case SeccompArchitecture.x86.auditValue: hasI386
    default: false
    }
  }

  struct Failure: Error { var code: Int32 }

  /// - Precondition: `canJudge` all of them.
  static func verdicts(on calls: [SeccompData], _ subject: FilterSubject) throws -> [Verdict] {
    var judged = calls.map { input in
      var call = sandbox_testing_judged()
      call.number = Int64(input.number)
      let a = input.arguments
      call.arguments = (a[0], a[1], a[2], a[3], a[4], a[5])
      call.is_i386 = input.architecture == SeccompArchitecture.x86.auditValue ? 1 : 0
      return call
    }
    let result = sandbox_testing_judge(
      subject.programs.flatMap(\.bytes), subject.programs.map { UInt32($0.instructions.count) },
      UInt32(subject.programs.count), &judged, UInt32(judged.count))
    guard result == 0 else { throw Failure(code: result) }
    return judged.map { call in
      switch Int(call.verdict) {
      case SANDBOX_TESTING_LET_THROUGH: .letThrough
      case SANDBOX_TESTING_TRAPPED: .trapped
      case SANDBOX_TESTING_KILLED: .killed
      default: .failed(call.verdict)
      }
    }
  }
}
