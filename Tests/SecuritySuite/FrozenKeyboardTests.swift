import Glibc
import SandboxPolicy
import SandboxSelftest
import Testing

@Suite("A frozen keyboard stays frozen", .serialized)
struct FrozenKeyboardTests {
  @Test(
    "one that spins, with every way of being woken armed, does not move while it is stopped",
    arguments: [false, true])
  func staysStopped(openAccess: Bool) throws {
    let experiment = try FreezeExperiment(
      try Attacked.stage(), grants: SandboxGrants(openAccess: openAccess))
    try experiment.start()
    // It does move before, or its standing still would prove nothing.
    let before = try experiment.counters()
    usleep(300_000)
    #expect(try experiment.counters() != before)
    try experiment.freeze()
    let frozen = try experiment.counters()
    // Longer than every timer it has armed; and the host writes to it meanwhile.
    experiment.tell("wake up")
    usleep(1_500_000)
    experiment.tell("wake up")
    usleep(200_000)
    #expect(try experiment.counters() == frozen)
    #expect(!experiment.hasWoken)
    #expect(experiment.isStopped)
  }

  @Test("without the filter the same keyboard wakes, so the filter is what keeps it frozen")
  func wakesWithoutFilter() throws {
    let experiment = try FreezeExperiment(
      try Attacked.stage(), grants: SandboxGrants(), without: [.seccomp])
    try experiment.start()
    try experiment.freeze()
    let frozen = try experiment.counters()
    usleep(1_500_000)
    #expect(try experiment.counters() != frozen)
  }
}
