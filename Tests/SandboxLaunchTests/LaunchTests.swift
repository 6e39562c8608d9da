import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("A launch puts every layer in force")
struct LaunchTests {
  @Test("every required layer is reported as enforced", arguments: Launchers.all)
  func everyLayer(_ launcher: String) throws {
    let bundle = try ProbeBundle()
    let probe = try Probe(bundle.request(), launcher: launcher)
    let report = try #require(probe.report)
    for entry in report.layers where SandboxLayer.required.contains(entry.layer) {
      if entry.layer == .identity, !Products.isRoot {
        #expect(entry.state == .notRequested)
      } else {
        #expect(entry.state == .enforced, "\(entry.layer)")
      }
    }
    #expect(report[.userNamespace] == (Products.isRoot ? .notRequested : .enforced))
    #expect(report.landlockABI == min(Landlock.kernelABI, Landlock.newestKnownABI))
  }

  @Test("the keyboard has descriptors 0 to 3 and no others, whatever the host holds open")
  func descriptors() throws {
    let bundle = try ProbeBundle()
    let secret = "\(bundle.folder)/secret"
    try Files.write("secret", to: secret)
    // Without close-on-exec, as a careless library would open them.
    let file = open(secret, O_RDONLY)
    let folder = open(bundle.folder, O_RDONLY | O_DIRECTORY)
    let high = dup2(file, 900)
    defer { for descriptor in [file, folder, high] { close(descriptor) } }
    let probe = try Probe(bundle.request())
    #expect(try probe.ask("descriptors") == "0 1 2 3 ")
  }

  @Test("the environment is the plan's alone")
  func environment() throws {
    setenv("KEYHOST_TEST_LEAK", "secret", 1)
    defer { unsetenv("KEYHOST_TEST_LEAK") }
    let probe = try Probe(ProbeBundle().request())
    let variables = try probe.ask("environment").split(separator: "\u{1f}").map(String.init)
    #expect(
      variables.sorted() == [
        "HOME=/container", "KEYHOST_BUNDLE=/bundle", "KEYHOST_CONTAINER=/container",
        "KEYHOST_SHARED_CONTAINER=/shared", "LANG=C.UTF-8", "TMPDIR=/tmp",
      ])
  }

  @Test("it is the first process of a session and of a process namespace of its own")
  func session() throws {
    let probe = try Probe(ProbeBundle().request())
    // Session, group, own number, parent.
    #expect(try probe.ask("session") == "1 1 1 0")
    #expect(getsid(probe.child.processIdentifier) == probe.child.processIdentifier)
  }

  @Test("its ids are its own, with no group beside")
  func identity() throws {
    let bundle = try ProbeBundle()
    let probe = try Probe(bundle.request())
    let user = Products.isRoot ? bundle.identity : getuid()
    let group = Products.isRoot ? bundle.identity : getgid()
    let groups = Products.isRoot ? 0 : getgroups(0, nil)
    #expect(
      try probe.ask("identity")
        == "uid \(user) \(user) \(user) gid \(group) \(group) \(group) groups \(groups)")
    // Root's number, asked for by the program itself: no right to it, or no such id in there.
    let answer = try #require(Int32(probe.ask("raise-user")))
    #expect([EPERM, EINVAL].contains(answer))
  }

  @Test("no capability is left in any set, and the securebits are locked")
  func capabilities() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("capabilities") == "0 0 0 0 0 0 bounding 0 ambient 0 securebits 239")
  }

  @Test("no new privileges, a filter, and death with the host are in force")
  func switches() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("no-new-privileges") == "1")
    #expect(try probe.ask("seccomp") == "2")
    #expect(try probe.ask("death-signal") == "9")
  }

  @Test("no signal is ignored, handled or blocked, although the host ignores SIGPIPE")
  func signals() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("signals") == "0")
  }

  @Test("it starts in its container, with a private file mask and no name of the machine")
  func surroundings() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("folder") == "/container")
    #expect(try probe.ask("mask") == "\(0o077)")
    #expect(try probe.ask("host-name") == "keyhost")
  }

  @Test("the limits are those of the plan, soft and hard")
  func limits() throws {
    let probe = try Probe(ProbeBundle().request())
    let text = try probe.ask("limits")
    let limits = Dictionary(
      uniqueKeysWithValues: text.split(separator: " ").map { entry in
        let parts = entry.split(separator: ":")
        return (Int32(parts[0])!, String(parts[1]))
      })
    func both(_ value: UInt64) -> String { "\(value)/\(value)" }
    #expect(limits[Resource.core.rawValue] == both(1))
    #expect(limits[Resource.data.rawValue] == both(64 << 20))
    #expect(limits[Resource.addressSpace.rawValue] == both(512 << 20))
    #expect(limits[Resource.fileSize.rawValue] == both(16 << 20))
    #expect(limits[Resource.openFiles.rawValue] == both(128))
    #expect(limits[Resource.processes.rawValue] == both(64))
    #expect(limits[Resource.lockedMemory.rawValue] == both(0))
    #expect(limits[Resource.messageQueues.rawValue] == both(0))
  }

  @Test("the limits hold: memory, threads, files")
  func limitsHold() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("memory 20") == "0")
    #expect(try probe.ask("memory 60") == "\(ENOMEM)")
    let resident = try #require(probe.child.residentMemory())
    #expect((20 << 20...40 << 20).contains(resident))
    #expect(try probe.ask("fill /container/big") == "\(16 << 20) \(EFBIG)")
    let temporary = try probe.ask("fill /tmp/big").split(separator: " ")
    #expect(temporary.last == "\(ENOSPC)")
    // Its first thread counts too.
    #expect(try probe.ask("threads 200") == "63")
  }

  @Test("one whose first thread has ended is beyond its limits, since nobody can measure it")
  func firstThreadEnds() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(probe.child.memoryExcess() == nil)
    #expect(try probe.ask("end-first-thread") == "0")
    #expect(try probe.ask("memory 1") == "0")
    var excess: String?
    for _ in 0..<1_000 where excess == nil {
      usleep(10_000)
      excess = probe.child.memoryExcess()
    }
    #expect(excess == "its first thread ended, so that nobody can measure what it uses")
    #expect(probe.child.reap() == nil)
    // One that has ended altogether is not.
    probe.child.kill()
    for _ in 0..<1_000 where probe.child.reap() == nil { usleep(10_000) }
    #expect(probe.child.memoryExcess() == nil && probe.child.memoryExcess() == nil)
  }

  @Test("twenty launches at once leak no descriptor to one another")
  func manyAtOnce() throws {
    let bundle = try ProbeBundle()
    let children = try (0..<20).map { _ in
      try SandboxedChild.spawn(bundle.request(), launcher: Launchers.built)
    }
    let probes = try children.map { try Probe(launching: $0) }
    for probe in probes { #expect(try probe.ask("descriptors") == "0 1 2 3 ") }
  }

  @Test("a script runs by its interpreter, without complaint")
  func script() throws {
    let bundle = try ProbeBundle(
      script: """
        #!/usr/bin/python3
        import json, os, random, sys, time, zoneinfo
        for line in sys.stdin:
            os.write(3, (line.strip().upper() + " " + os.getcwd() + "\\n").encode())
        """)
    var request = bundle.request()
    request.interpreter = "/usr/bin/python3"
    let probe = try Probe(request)
    #expect(try probe.ask("hello") == "HELLO /container")
    probe.child.closeInput()
    #expect(try probe.end() == .exited(0))
    #expect(String(decoding: probe.errors, as: UTF8.self) == "")
  }

  @Test("what it writes to its standard streams never blocks it")
  func babble() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("babble 1048576") == "0")
    #expect(probe.errors.count == 1 << 20)
  }
}
