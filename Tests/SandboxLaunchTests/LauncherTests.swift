import Glibc
import LaunchPlanFormat
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("The launcher runs only what its host made, and the host only its own launcher")
struct LauncherTests {
  private func refusal(_ launcher: String) throws -> LaunchError {
    try #require(throws: LaunchError.self) {
      try SandboxedChild.spawn(ProbeBundle().request(), launcher: launcher)
    }
  }

  private func copy(mode: mode_t, owner: UInt32? = nil) throws -> String {
    let path = try ProbeBundle().folder + "/launcher"
    try Files.write(Files.read(Launchers.built), to: path, mode: mode)
    if let owner { chown(path, owner, owner) }
    return path
  }

  @Test("a launcher that is missing, no file or no program is refused")
  func missing() throws {
    #expect(try refusal("/nonexistent/keyhost-launcher").errno == .noSuchFile)
    #expect(try refusal("keyhost-launcher").step.contains("not an absolute path"))
    #expect(try refusal("/tmp").step.contains("not a file"))
    #expect(try refusal(copy(mode: 0o644)).step.contains("not executable"))
  }

  @Test("a launcher that others could have changed is refused")
  func notOurs() throws {
    #expect(try refusal(copy(mode: 0o757)).step.contains("by anybody"))
    #expect(try refusal(copy(mode: 0o4755)).step.contains("set-user-id"))
    if Products.isRoot {
      #expect(try refusal(copy(mode: 0o755, owner: 12_345)).step.contains("belongs to user 12345"))
    } else {
      #expect(try refusal(copy(mode: 0o775)).step.contains("by group"))
    }
    let error = try refusal(copy(mode: 0o757))
    #expect(error.advice.contains("Install Keyhost again"))
  }

  @Test("a program in its place that says nothing, or nonsense, starts no keyboard")
  func impostor() throws {
    for text in ["#!/bin/sh\nexit 0\n", "#!/bin/sh\necho nonsense >&5\n"] {
      let path = try ProbeBundle().folder + "/launcher"
      try Files.write(text, to: path, mode: 0o755)
      _ = try #require(throws: LaunchError.self) {
        try Probe(ProbeBundle().request(), launcher: path)
      }
    }
  }

  /// Starts the launcher with these bytes at the plan's place; what it says, how it ends, and its
  /// last message.
  private func start(
    _ launcher: String, plan: [UInt8]?, isSealed: Bool = true, host: Int32 = getpid()
  ) throws -> (text: String, status: ProcessStatus, message: LaunchStatus?) {
    let errors = try Pipe(minimum: 16)
    let status = try Pipe(minimum: 16)
    var descriptors = [
      (from: errors.writeEnd.rawValue, to: Int32(2)), (status.writeEnd.rawValue, 5),
    ]
    let host = try ProcessHandle(host).duplicate(minimum: 16)
    descriptors.append((host.rawValue, 6))
    var file: FileDescriptor?
    if let plan {
      if isSealed {
        file = try SealedMemory.create(plan, name: "plan").lifted(to: 16)
      } else {
        let path = try ProbeBundle().folder + "/plan"
        try Files.write(plan, to: path)
        file = try FileDescriptor.open(path, .read).lifted(to: 16)
      }
    }
    if let number = file?.rawValue { descriptors.append((number, 4)) }
    let process = try ProcessControl.spawn(
      launcher, arguments: ["keyhost-launcher"], environment: [], descriptors: descriptors)
    let handle = try ProcessHandle(process)
    file = nil
    let reading = errors.closeWriteEnd()
    let statusReading = status.closeWriteEnd()
    var text: [UInt8] = []
    while case let part = try reading.read(upTo: 4096), !part.isEmpty { text += part }
    var buffer: [UInt8] = []
    while case let part = try statusReading.read(upTo: 4096), !part.isEmpty { buffer += part }
    var end: ProcessStatus?
    for _ in 0..<1_000 where end == nil {
      end = try handle.status(.exited)
      usleep(1_000)
    }
    var last: LaunchStatus?
    while let message = try LaunchStatus.take(from: &buffer) { last = message }
    return (String(decoding: text, as: UTF8.self), try #require(end), last)
  }

  @Test("started by hand it says what it is for, and ends with 2", arguments: Launchers.all)
  func byHand(_ launcher: String) throws {
    let result = try Program(launcher).run()
    #expect(result.exitCode == 2)
    #expect(result.standardError.contains("there is no launch plan"))
    #expect(result.standardError.contains("not by hand"))
  }

  @Test("a plan that is not sealed is refused", arguments: Launchers.all)
  func unsealed(_ launcher: String) throws {
    let (text, status, message) = try start(
      launcher, plan: LaunchPlan().encoded(), isSealed: false)
    #expect(status == .exited(2))
    #expect(text.contains("not sealed"))
    guard case .failure(nil, _, _) = message else {
      Issue.record("the host is not told: \(String(describing: message))")
      return
    }
  }

  @Test("a plan that is damaged or of another release is refused", arguments: Launchers.all)
  func damaged(_ launcher: String) throws {
    let good = try LaunchPlan().encoded()
    var newer = good
    newer[4] = 99
    for (plan, words) in [
      ([], "too early"), (Array(good.dropLast()), "cut off"), (good + [0], "bytes too many"),
      (newer, "different releases"), ([UInt8](repeating: 0xff, count: 64), "no launch plan"),
    ] {
      let (text, status, _) = try start(launcher, plan: plan)
      #expect(status == .exited(2))
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("a variable that is not on the list stops the launch on either side")
  func environment() throws {
    var request = try ProbeBundle().request()
    request.environment = [("LD_PRELOAD", "/container/evil.so")]
    let error = try #require(throws: LaunchError.self) { try Probe(request) }
    #expect(error.layer == .environment)
    var plan = LaunchPlan()
    plan.layers = [.environment]
    plan.environment = ["LD_PRELOAD=/container/evil.so"]
    let (_, status, message) = try start(Launchers.built, plan: plan.encoded())
    #expect(status == .exited(3))
    guard case .failure(.environment, _, _) = message else {
      Issue.record("\(String(describing: message))")
      return
    }
  }

  @Test("a launcher whose host is gone starts nothing")
  func noHost() throws {
    var plan = LaunchPlan()
    plan.layers = [.parentDeath]
    // Dead, and not waited for yet.
    let host = try ProcessControl.spawn(
      "/bin/true", arguments: ["true"], environment: [], descriptors: [])
    defer { waitpid(host, nil, 0) }
    var entries = [PollEntry(try ProcessHandle(host).duplicate(minimum: 0).release(), .input)]
    defer { FileDescriptor.close(entries[0].descriptor) }
    #expect(try poll(&entries, milliseconds: 20_000) == 1)
    let (_, status, message) = try start(Launchers.built, plan: plan.encoded(), host: host)
    #expect(status == .exited(3))
    #expect(message == .failure(.parentDeath, step: "the host is gone", errno: 0))
  }

  @Test("requests that contradict themselves are refused")
  func wrongRequests() throws {
    let bundle = try ProbeBundle()
    func refusal(_ change: (inout LaunchRequest) -> Void) throws -> LaunchError {
      var request = bundle.request()
      change(&request)
      return try #require(throws: LaunchError.self) {
        try SandboxedChild.spawn(request, launcher: Launchers.built)
      }
    }
    #expect(try refusal { $0.executable = "/usr/bin/true" }.step.contains("not in the bundle"))
    #expect(
      try refusal { $0.containerPath = bundle.container + "/../.." }.step.contains(
        "plain absolute path"))
    #expect(try refusal { $0.executable = $0.bundlePath + "/../x" }.step.contains("plain"))
    if Products.isRoot {
      #expect(try refusal { $0.identity = nil }.layer == .identity)
      #expect(try refusal { $0.identity = 0 }.layer == .identity)
    } else {
      #expect(try refusal { $0.identity = getuid() + 1 }.layer == .identity)
    }
  }

  @Test("an executable that is none, or has no interpreter, is an error that names it")
  func badExecutables() throws {
    for (text, errno) in [
      ("\u{7f}ELF and nothing more", Errno(rawValue: ENOEXEC)),
      ("#!/usr/bin/no-such-interpreter\n", .noSuchFile),
    ] {
      let bundle = try ProbeBundle(script: text)
      let error = try #require(throws: LaunchError.self) { try Probe(bundle.request()) }
      #expect(error.errno == errno)
      #expect(error.step == "starting the program /bundle/probe")
    }
  }

  @Test("a container that is not there is an error of the private root, naming it")
  func noContainer() throws {
    let bundle = try ProbeBundle()
    Files.remove(bundle.container)
    let error = try #require(throws: LaunchError.self) { try Probe(bundle.request()) }
    #expect(error.layer == .privateRoot)
    #expect(error.step.contains(bundle.container))
  }
}
