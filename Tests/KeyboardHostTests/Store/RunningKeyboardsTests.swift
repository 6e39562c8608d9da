import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import KeyboardHost

/// What runs by a right is gone when the right is.
@Suite("Keyboards that run, and the taking away of their rights")
final class RunningKeyboardsTests {
  let fixture: StoreFixture
  /// What is let go of is killed: they have to live as long as the test.
  private var programs: [RunningProgram] = []
  var records: RunningKeyboards { RunningKeyboards(paths: fixture.paths) }

  init() throws {
    fixture = try StoreFixture()
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(fixture.keyboard, container: .keep, log: fixture.log)
  }

  /// A process that no host will end, with the word that a host would leave of it.
  private func run(
    openAccess: Bool = true, hosts: Set<String> = [], keyboard: String? = nil
  ) throws -> RunningKeyboard {
    let program = try Program("/bin/sleep").start(["600"])
    let record = RunningKeyboard(
      process: try #require(RunningKeyboard.Process(number: program.identifier)),
      rights: RunningKeyboard.Rights(
        keyboard: keyboard ?? fixture.keyboard, openAccess: openAccess, allowedHosts: hosts))
    try records.enter(record)
    programs.append(program)
    return record
  }

  @Test("to revoke open access ends who has it, and nobody else")
  func revoke() throws {
    let granted = try run()
    let plain = try run(openAccess: false)
    #expect(granted.process.standing == .runs)
    try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    #expect(granted.process.standing == .gone)
    #expect(plain.process.standing == .runs)
    try fixture.choices.remove(fixture.keyboard, log: fixture.log)
    #expect(plain.process.standing == .gone)
  }

  @Test("to close an address ends who may connect to it, and nobody else")
  func host() throws {
    let one = "192.168.7.9:80"
    let two = "192.168.7.9:81"
    try fixture.choices.grantOpenAccess(
      fixture.keyboard, container: .keep, allowedHosts: [one, two], log: fixture.log)
    let first = try run(hosts: [one])
    let second = try run(hosts: [two])
    try fixture.choices.revokeAllowedHosts(fixture.keyboard, hosts: [one], log: fixture.log)
    #expect(first.process.standing == .gone)
    #expect(second.process.standing == .runs)
  }

  @Test("an emptied container, a removed app and an update that asks for less end who runs")
  func others() throws {
    let emptied = try run()
    try fixture.choices.empty(fixture.keyboard, log: fixture.log)
    #expect(emptied.process.standing == .gone)
    let updated = try run()
    try fixture.install(version: "2.0", requestsOpenAccess: false)
    #expect(updated.process.standing == .gone)
    let removed = try run(openAccess: false)
    try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
    #expect(removed.process.standing == .gone)
  }

  @Test("a process that cannot be looked at is an error that names it, and the right is gone")
  func unknown() throws {
    let record = try run()
    var foreign = record
    foreign.process.namespace = "1"
    try records.enter(foreign)
    let after = HostSettings()
    let fault = storeFault { try records.end(exceeding: after, patience: 10, limit: 50) }
    #expect(fault.contains("process \(foreign.process.number)"))
    #expect(fault.contains("another process namespace"))
    #expect(record.process.standing == .gone)
    // The same through the command: the settings are changed all the same.
    let command = storeFault {
      try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    }
    #expect(command.contains("the settings are changed, but"))
    #expect(try fixture.registry.load().openAccess.isEmpty)
  }

  @Test("a record that is damaged counts as one with every right")
  func damaged() throws {
    let record = try run(openAccess: false)
    try Files.write(
      "{", to: fixture.paths.configuration + "/running/" + record.process.fileName)
    #expect(try records.all().map(\.rights) == [nil])
    try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    #expect(record.process.standing == .gone)
  }

  @Test("a number that another process has got is left alone, and stale words are removed")
  func stale() throws {
    let record = try run(keyboard: "org.example.other")
    var old = record
    old.process.start -= 1
    try records.enter(old)
    var earlier = record
    earlier.process.boot = "00000000-0000-0000-0000-000000000000"
    try records.enter(earlier)
    #expect(old.process.standing == .gone)
    #expect(earlier.process.standing == .gone)

    try old.process.kill()
    #expect(record.process.standing == .runs)
    _ = try run()
    #expect(try records.all().count == 2)
  }

  @Test("an ended process that nobody has taken note of has ended")
  func zombie() throws {
    let record = try run()
    try record.process.kill()
    let deadline = RunningProgram.now() + 60
    while record.process.standing != .gone, RunningProgram.now() < deadline { usleep(1_000) }
    #expect(record.process.standing == .gone)
    records.leave(record.process)
    #expect(try records.all().isEmpty)
  }

  @Test("what a keyboard has beyond the settings, by each right")
  func exceeds() {
    var settings = HostSettings()
    settings.enabledKeyboards = ["a", "system"]
    settings.openAccess = ["a"]
    func running(_ name: String, _ access: Bool, _ hosts: Set<String> = []) -> RunningKeyboard {
      RunningKeyboard(
        process: .init(number: 1, start: 1, boot: "b", namespace: "1"),
        rights: .init(keyboard: name, openAccess: access, allowedHosts: hosts))
    }
    #expect(!running("a", false).exceeds(settings))
    #expect(!running("a", true).exceeds(settings))
    #expect(running("a", true, ["192.0.2.1:1"]).exceeds(settings))
    #expect(running("b", false).exceeds(settings))
    settings.openAccess = []
    #expect(running("a", true).exceeds(settings))
    #expect(!running("a", false).exceeds(settings))
    var process = running("a", false).process
    #expect(RunningKeyboard.Process(fileName: process.fileName) == process)
    process.number = 0
    #expect(RunningKeyboard.Process(fileName: process.fileName) == nil)
  }
}
