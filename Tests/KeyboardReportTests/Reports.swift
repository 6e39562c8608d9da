import KeyboardHost
import PolicyAudit
import SandboxLaunch
import SandboxPolicy
import StrictJSON
import TestSupport

@testable import KeyboardReport

/// Reports for the tests, on the policies that ship.
enum Reports {
  static let resources = Result { try InstalledResources(program: Products.keyhost) }

  static func claims() throws -> [Claim] { try resources.get().claims() }

  /// The proofs take a while in a debug build: they are made once.
  static let policies = Result {
    let profile = try resources.get().profile()
    let all = try claims()
    return try SandboxGrants.allStates.map {
      try ProvenPolicy(profile, grants: $0, claims: all)
    }
  }

  /// Every layer in force.
  static let trial = SandboxTrial(
    report: EnforcementReport(
      states: Dictionary(uniqueKeysWithValues: SandboxLayer.allCases.map { ($0, .enforced) }),
      landlockABI: 7),
    problem: nil)

  static func report(
    _ keyboards: [ReportedKeyboard] = [], history: AuditHistory = AuditHistory(),
    trial: SandboxTrial = trial, faults: [KeyboardReport.AppFault] = []
  ) throws -> KeyboardReport {
    try KeyboardReport(
      made: AuditTime("2026-01-31T12:00:00.000Z")!, policies: try policies.get(), trial: trial,
      kernel: "6.1.0-test", keyboards: keyboards, faults: faults, history: history)
  }

  static func keyboard(
    _ identifier: String, name: String? = nil, requestsOpenAccess: Bool = false,
    hasOpenAccess: Bool = false, activity: KeyboardActivity = KeyboardActivity()
  ) -> ReportedKeyboard {
    var keyboard = ReportedKeyboard(removed: identifier, activity: activity)
    keyboard.displayName = name
    keyboard.version = "1.0"
    keyboard.isInstalled = true
    keyboard.position = 2
    keyboard.requestsOpenAccess = requestsOpenAccess
    keyboard.hasOpenAccess = hasOpenAccess
    return keyboard
  }

  /// Reads lines as they would stand in a log.
  static func history(_ lines: [String]) throws -> AuditHistory {
    let home = try TemporaryHome()
    let path = "\(home.work)/audit.log"
    try Files.write(lines.map { $0 + "\n" }.joined(), to: path)
    return AuditHistory(reading: path)
  }
}
