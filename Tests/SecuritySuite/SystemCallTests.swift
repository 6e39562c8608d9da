import SandboxPolicy
import SandboxSelftest
import Testing

@Suite("Every system call answers as the policy says", .serialized)
struct SystemCallTests {
  static let states = [
    SandboxGrants(openAccess: false), SandboxGrants(openAccess: true),
  ]

  /// Numbers that are tried in every run of the tests: those that decide most, each table's edges,
  /// and every twentieth.
  static func numbers(_ experiment: CallExperiment, _ table: CallExperiment.Table) -> [UInt32] {
    let all = experiment.numbers(table)
    if Attacked.isFull { return all }
    let chosen: Set<UInt32> = [
      0, 1, 2, 41, 42, 56, 57, 58, 59, 62, 101, 165, 250, 257, 272, 310, 317, 319, 321, 322, 335,
      336,
      425, 434, 435, 437, 438, 450, 451, 1024,
    ]
    return all.enumerated().filter {
      $0.offset % 20 == 0 || chosen.contains($0.element) || $0.element > 1_024
    }
    .map(\.element)
  }

  @Test("on x86-64", arguments: states)
  func native(_ grants: SandboxGrants) throws { try compare(.native, grants) }

  @Test("on i386, by int 0x80", arguments: states)
  func i386(_ grants: SandboxGrants) throws { try compare(.i386, grants) }

  @Test("in the x32 range", arguments: states)
  func x32(_ grants: SandboxGrants) throws { try compare(.x32, grants) }

  private func compare(_ table: CallExperiment.Table, _ grants: SandboxGrants) throws {
    let experiment = try CallExperiment(try Attacked.stage(), grants: grants)
    let numbers = Self.numbers(experiment, table)
    #expect(numbers.count > 20)
    for outcome in try experiment.run(table, numbers) {
      #expect(outcome.isAsExpected, "\(outcome)")
    }
  }
}
