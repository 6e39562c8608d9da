import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("What a keyboard tries is known from the kernel")
struct NotificationTests {
  @Test("a socket is refused and told, with its family")
  func socket() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("socket \(AF_INET) 1") == "\(EACCES)")
    #expect(try probe.ask("socket \(AF_UNIX) 2") == "\(EACCES)")
    #expect(probe.violations.map(\.systemCall) == ["socket", "socket"])
    #expect(
      probe.violations.map(\.detail) == [
        "socket family AF_INET, type SOCK_STREAM", "socket family AF_UNIX, type SOCK_DGRAM",
      ])
    #expect(probe.violations.map(\.isHopeless) == [false, false])
  }

  @Test("a connect is told with the address it was for")
  func connect() throws {
    let filter = TestFilter([
      (TestFilter.execve, TestFilter.notify), (TestFilter.connect, TestFilter.notify),
    ])
    let probe = try Probe(ProbeBundle().request(filter))
    #expect(try probe.ask("connect 4713") == "\(EACCES)")
    #expect(probe.violations.map(\.detail) == ["connect to AF_INET 127.0.0.1 port 4713"])
  }

  @Test("an open for writing outside its own places is told, and left to the file layers")
  func foreignWrite() throws {
    let openat: UInt32 = 257
    let filter = TestFilter([
      (TestFilter.execve, TestFilter.notify), (openat, TestFilter.notify),
    ])
    let probe = try Probe(ProbeBundle().request(filter))
    #expect(try probe.ask("write /container/new") == "0")
    #expect(try probe.ask("write new") == "0")
    #expect(try probe.ask("write /dev/null") == "0")
    #expect(try probe.ask("read /dev/snd/pcm") == "\(ENOENT)")
    #expect(probe.violations.isEmpty)
    #expect(try probe.ask("write /dev/snd/pcm") != "0")
    #expect(try probe.ask("write /container/../bundle/x") != "0")
    let details = probe.violations.map(\.detail)
    try #require(details.count == 2)
    // Letters that join a slash among characters hide nothing.
    #expect(try probe.ask("write /container/a\u{d4e}/../../bundle/x") != "0")
    #expect(try probe.ask("write /container/../\u{301}x") != "0")
    #expect(try probe.ask("write /\u{301}x") != "0")
    #expect(probe.violations.count == 5)
    // In as far as the path is there on this machine.
    #expect(details[0].hasPrefix("openat of /dev/"))
    #expect(details[1].hasPrefix("openat of /") && details[1].hasSuffix(" for writing"))
    #expect(probe.violations.allSatisfy { !$0.isRefused })
  }

  @Test("a second exec is refused, and told with its path")
  func secondExec() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("run /bundle/probe") == "\(EACCES)")
    #expect(probe.violations.map(\.detail) == ["execve of /bundle/probe"])
    #expect(try probe.ask("run /bundle/\u{1b}[31mred") == "\(EACCES)")
    #expect(!probe.violations[1].detail.utf8.contains(0x1b))
  }

  @Test("a hopeless call ends the keyboard, and the log can name it")
  func hopeless() throws {
    let probe = try Probe(ProbeBundle().request())
    try probe.send("trace")
    #expect(try probe.end() == .signaled(SIGKILL, coreDumped: false))
    #expect(probe.violations.map(\.systemCall) == ["ptrace"])
    #expect(probe.violations.map(\.isHopeless) == [true])
  }

  @Test("a flood of calls ends the keyboard")
  func flood() throws {
    let probe = try Probe(ProbeBundle().request())
    try probe.send("flood 1000000")
    #expect(try probe.end() == .signaled(SIGKILL, coreDumped: false))
    #expect(probe.violations.last?.isHopeless == true)
    #expect(probe.violations.last?.detail.contains("more than 1000 calls in a second") == true)
  }

  @Test("a few hundred refused calls in a second are no flood")
  func noFlood() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("flood 500") == "0")
    #expect(probe.violations.count == 500)
  }

  @Test("the strictest filter is enough: what only the launcher needs is not in it")
  func strictest() throws {
    // read, write, rt_sigreturn, exit_group; execve, once, by notification; nothing else.
    let filter = TestFilter(
      [0, 1, 15, 231].map { ($0, TestFilter.allow) } + [(TestFilter.execve, TestFilter.notify)],
      otherwise: TestFilter.errno(UInt32(EPERM)))
    let bundle = try ProbeBundle()
    try Files.write(
      Files.read(ProbeProgram.tinyPath), to: "\(bundle.bundle)/probe", mode: 0o755)
    for launcher in Launchers.all {
      let probe = try Probe(bundle.request(filter), launcher: launcher)
      #expect(try probe.ask("x") == "x")
    }
  }

  @Test("a program that cannot be started is an error that names it, even under such a filter")
  func strictestFailure() throws {
    let filter = TestFilter(
      [1, 231].map { ($0, TestFilter.allow) } + [(TestFilter.execve, TestFilter.notify)],
      otherwise: TestFilter.errno(UInt32(EPERM)))
    let bundle = try ProbeBundle()
    Files.remove("\(bundle.bundle)/probe")
    for launcher in Launchers.all {
      let error = try #require(throws: LaunchError.self) {
        try Probe(bundle.request(filter), launcher: launcher)
      }
      #expect(error.errno == .noSuchFile)
      #expect(error.step.contains("/bundle/probe"))
    }
  }

  @Test("a filter that cannot be loaded is an error of that layer")
  func badFilter() throws {
    // A load from beyond the data: the kernel's checker refuses it.
    let bad = BPFProgramOfBytes([0x20, 0, 0, 0, 0x41, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, 0xff, 0x7f])
    var request = try ProbeBundle().request()
    request.program = try bad.program
    let error = try #require(throws: LaunchError.self) { try Probe(request) }
    #expect(error.layer == .seccomp)
    #expect(error.errno == .invalidArgument)
  }

  @Test("a filter that notifies anything but not execve is refused before it starts")
  func mustNotifyExecution() throws {
    let filter = TestFilter([(TestFilter.socket, TestFilter.notify)])
    let error = try #require(throws: LaunchError.self) {
      try Probe(ProbeBundle().request(filter))
    }
    #expect(error.layer == .seccomp)
  }

  @Test("a filter without notifications works too")
  func noNotifications() throws {
    let filter = TestFilter([(TestFilter.socket, TestFilter.errno(UInt32(EPERM)))])
    let probe = try Probe(ProbeBundle().request(filter))
    #expect(probe.report?[.seccomp] == .enforced)
    #expect(try probe.ask("socket 2 1") == "\(EPERM)")
  }
}
