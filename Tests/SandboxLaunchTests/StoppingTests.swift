import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("A keyboard can be frozen, woken and ended at any moment")
struct StoppingTests {
  /// Polls until `condition`, for a second at most.
  private func within(_ what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<1_000 {
      if try condition() { return }
      usleep(1_000)
    }
    Issue.record("not within a second: \(what)")
  }

  /// Processor time in ticks.
  private func processorTime(_ process: Int32) throws -> Int {
    let text = try Files.text("/proc/\(process)/stat")
    let fields = text[text.lastIndex(of: ")")!...].split(separator: " ")
    return Int(fields[12])! + Int(fields[13])!
  }

  @Test("a spinning keyboard of several threads stops, uses no time, and goes on when resumed")
  func stopAndResume() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("threads 3") == "3")
    #expect(try probe.child.stop().isEmpty)
    try within("stopped") { probe.child.confirmStopped() }
    let before = try processorTime(probe.child.processIdentifier)
    usleep(100_000)
    #expect(try processorTime(probe.child.processIdentifier) == before)
    #expect(!probe.child.hasWoken())
    try probe.child.resume()
    #expect(try probe.ask("session") == "1 1 1 0")
  }

  @Test("one that somebody wakes is noticed")
  func woken() throws {
    let probe = try Probe(ProbeBundle().request())
    _ = try probe.child.stop()
    try within("stopped") { probe.child.confirmStopped() }
    #expect(!probe.child.hasWoken())
    #expect(kill(probe.child.processIdentifier, SIGCONT) == 0)
    try within("woken") { probe.child.hasWoken() }
  }

  @Test("it stops with calls waiting for an answer, which come out refused, once each")
  func stopWithNotifications() throws {
    let probe = try Probe(ProbeBundle().request())
    var told = 0
    for round in 0..<20 {
      try probe.send("socket 2 1")
      // The call waits, or is about to.
      usleep(UInt32(round * 50))
      var violations = try probe.child.stop()
      try within("stopped") {
        violations += probe.child.handleNotifications()
        return probe.child.confirmStopped()
      }
      try probe.child.resume()
      #expect(try probe.answer() == "\(EACCES)")
      told += violations.count
      #expect(told + probe.violations.count == round + 1)
    }
  }

  @Test("killed, stopped or not, it is gone at once and leaves no zombie")
  func killed() throws {
    for stops in [false, true] {
      let probe = try Probe(ProbeBundle().request())
      if stops {
        _ = try probe.child.stop()
        try within("stopped") { probe.child.confirmStopped() }
      }
      probe.child.kill()
      #expect(try probe.end() == .signaled(SIGKILL, coreDumped: false))
      #expect(kill(probe.child.processIdentifier, 0) == -1)
    }
  }

  @Test("its own end is told, with the exit code")
  func exits() throws {
    let probe = try Probe(ProbeBundle().request())
    try probe.send("exit 7")
    #expect(try probe.end() == .exited(7))
    // The pipe's other end is gone: an error, not a signal that ends the host.
    #expect(throws: Errno.brokenPipe) {
      try FileDescriptor.write([10], to: probe.child.inputDescriptor)
    }
  }

  @Test("letting go of it ends it")
  func letGo() throws {
    let bundle = try ProbeBundle()
    var child: SandboxedChild? = try SandboxedChild.spawn(
      bundle.request(), launcher: Launchers.built)
    let process = try #require(child?.processIdentifier)
    child = nil
    #expect(kill(process, 0) == -1)
  }

  @Test("a process it left behind dies with it")
  func forks() throws {
    // This filter lets it fork, as Keyhost's own does not.
    let filter = TestFilter([(TestFilter.execve, TestFilter.notify)])
    let probe = try Probe(ProbeBundle().request(filter))
    #expect(try probe.ask("fork") == "0")
    let process = probe.child.processIdentifier
    let children = try Files.text("/proc/\(process)/task/\(process)/children")
    let grandchild = try #require(Int32(children.split(separator: " ").first ?? ""))
    probe.child.kill()
    _ = try probe.end()
    try within("the grandchild is gone") { kill(grandchild, 0) == -1 }
  }

  @Test(
    "when the host is killed nothing is left after a second", .enabled(if: ExitTests.areAllowed),
    arguments: [false, true])
  func hostDies(stopped: Bool) async throws {
    let folder = try Files.temporaryDirectory(mode: 0o755)
    defer { Files.remove(folder) }
    _ = ProbeProgram.path
    let record: String = "\(folder)/process"
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, record = record as String, stopped = stopped as Bool] in
      let bundle = try ProbeBundle(in: folder)
      let probe = try Probe(bundle.request())
      _ = try probe.ask("session")
      if stopped {
        _ = try probe.child.stop()
        while !probe.child.confirmStopped() { usleep(100) }
      }
      try Files.write("\(probe.child.processIdentifier)", to: record)
      kill(getpid(), SIGKILL)
    }
    let process = try #require(Int32(Files.text(record)))
    // Its new parent may take a moment to reap it: a zombie is no plugin any more.
    try within("the keyboard is gone") {
      guard let text = try? Files.text("/proc/\(process)/stat") else { return true }
      return text.contains(") Z ")
    }
  }
}
