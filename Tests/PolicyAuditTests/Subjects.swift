import ClassicBPF
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// Filters for the audit's tests.
enum Subjects {
  static let space = CallSpace(native: .x8664, table: LibseccompTable())
  static let reader = FilterReader(
    situation: PolicySituation(
      architecture: .x8664, kernel: KernelVersion(major: 6, minor: 1)))

  static func keyboard(openAccess: Bool) throws -> FilterSubject {
    var reader = reader
    reader.grants.openAccess = openAccess
    return try reader.read(
      try Policies.load("keyboard.json"), name: "keyboard.json", load: Policies.load)
  }

  /// A policy in OCI form.
  static func policy(_ text: String) throws -> FilterSubject {
    try reader.read(Array(text.utf8), name: "p.json", load: Policies.load)
  }

  static func program(_ instructions: [BPFInstruction]) -> FilterSubject {
    FilterSubject(name: "raw", programs: [BPFProgram(instructions)])
  }

  /// The claims that ship.
  static func claim(_ name: String) throws -> Claim {
    try Claim(parsing: try Policies.load("claims/\(name).json"), file: "\(name).json")
  }

  static let claimNames = [
    "native-only", "no-connection-around-the-broker", "no-io-uring", "no-kernel-surface",
    "no-marks-on-shared-files", "no-microphone-route", "no-mount", "no-network", "no-new-process",
    "no-new-program", "no-ptrace", "no-signals", "no-terminal-injection", "no-unjudged-files",
    "no-user-namespace", "stays-frozen", "stays-watched", "tcp-only", "within-limits",
  ]
}

extension Subjects {
  /// A filter that allows every call.
  static var everything: FilterSubject {
    program([BPFInstruction(code: 0x06, k: 0x7fff_0000)])
  }
}
