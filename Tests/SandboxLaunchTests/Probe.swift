import Glibc
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import TestSupport

/// The probe, compiled once for all tests: a static C program that obeys commands.
enum ProbeProgram {
  static let path = compile("probe", "-static", "-lpthread")
  /// One that needs no system call but read, write and exit_group.
  static let tinyPath = compile("tiny", "-static", "-nostdlib")

  private static func compile(_ name: String, _ options: String...) -> String {
    // A test's own process, which may end before it can remove anything, takes its parent's.
    let variable = "KEYHOST_TEST_PROGRAM_\(name)"
    if let known = getenv(variable) { return String(cString: known) }
    let source = "\(SourceTree.root)/Tests/SandboxLaunchTests/Probe/\(name).c"
    do {
      let folder = "\(ProbeBundle.root)/program-\(name)"
      try Files.makeDirectory(folder)
      let output = "\(folder)/probe"
      let result = try Program("/usr/bin/cc").run(
        ["-O1", "-w", "-o", output, source] + options)
      guard result.exitCode == 0 else { fatalError("cc: \(result)") }
      setenv(variable, output, 1)
      return output
    } catch {
      fatalError("the probe cannot be compiled: \(error)")
    }
  }
}

/// A keyboard's folders on disk, removed when the tests end.
struct ProbeBundle {
  /// All bundles lie in here: a keyboard's folders must outlive every value that names them.
  static let root: String = {
    let path = (try? Files.temporaryDirectory(mode: 0o711)) ?? "/nonexistent"
    rootPath = path
    atexit { Files.remove(ProbeBundle.rootPath) }
    return path
  }()
  private nonisolated(unsafe) static var rootPath = ""

  let folder: String
  var bundle: String { "\(folder)/Probe.appex" }
  var container: String { "\(folder)/container" }
  var shared: String { "\(folder)/shared" }

  init(script: String? = nil, in root: String? = nil) throws {
    folder = "\(root ?? Self.root)/\(Secret.make("bundle"))"
    try Files.makeDirectory(folder, mode: 0o711)
    try Files.makeDirectory("\(folder)/Probe.appex")
    try Files.makeDirectory("\(folder)/container", mode: 0o700)
    try Files.makeDirectory("\(folder)/shared", mode: 0o700)
    if let script {
      try Files.write(script, to: "\(folder)/Probe.appex/probe", mode: 0o755)
    } else {
      try Files.write(
        Files.read(ProbeProgram.path), to: "\(folder)/Probe.appex/probe", mode: 0o755)
    }
    if Products.isRoot {
      for path in [container, shared] { chown(path, identity, identity) }
    }
  }

  /// Of a range that no system hands out.
  static func makeIdentity() -> UInt32 { .random(in: 2_000_000_000..<2_100_000_000) }

  /// Each bundle's own, as each keyboard's: the kernel counts processes by it.
  let identity = makeIdentity()

  func request(_ program: TestFilter = TestFilter()) -> LaunchRequest {
    LaunchRequest(
      executable: "\(bundle)/probe", bundlePath: bundle, containerPath: container,
      sharedContainerPath: shared, files: TestFiles.rules, environment: [("LANG", "C.UTF-8")],
      program: program.program,
      identity: Products.isRoot ? identity : nil,
      limits: ResourceLimits(
        data: 64 << 20, addressSpace: 512 << 20, fileSize: 16 << 20, openFiles: 128,
        processes: 64, temporaryFiles: 4 << 20, coreSize: 1, residentMemory: 64 << 20,
        containerQuota: 128 << 20))
  }
}

/// What the tests' keyboards may do with files: the same places as in Keyhost's own profile.
enum TestFiles {
  static let writing: Set<FileRight> = [
    .readFile, .readDirectory, .writeFile, .truncate, .makeRegularFile, .makeDirectory,
    .removeFile, .removeDirectory, .refer,
  ]
  static let rules = [
    FileRule(place: .bundle, rights: [.execute, .readFile, .readDirectory]),
    FileRule(place: .container, rights: writing),
    FileRule(place: .sharedContainer, rights: [.readFile, .readDirectory]),
    FileRule(place: .temporary, rights: writing),
    FileRule(place: .interpreter, rights: [.execute, .readFile]),
    FileRule(place: .path("/usr/lib"), rights: [.execute, .readFile, .readDirectory]),
    FileRule(place: .path("/etc/ld.so.cache"), rights: [.readFile], isOptional: true),
    FileRule(place: .path("/dev/null"), rights: [.readFile, .writeFile]),
    FileRule(place: .path("/dev/zero"), rights: [.readFile]),
    FileRule(place: .path("/dev/urandom"), rights: [.readFile]),
  ]
}

/// A running probe, and the small poll loop that a host would have.
final class Probe {
  let child: SandboxedChild
  private(set) var report: EnforcementReport?
  private(set) var violations: [Violation] = []
  private(set) var errors: [UInt8] = []
  private(set) var status: ProcessStatus?
  private var answers: [UInt8] = []
  private var turns = 0

  struct Silence: Error, CustomStringConvertible { var description: String }

  convenience init(_ request: LaunchRequest, launcher: String = Launchers.built) throws {
    Signals.ignorePipe()
    try self.init(launching: SandboxedChild.spawn(request, launcher: launcher))
  }

  /// Waits until a child runs.
  init(launching child: SandboxedChild) throws {
    self.child = child
    while report == nil {
      try wait("the launch")
      switch try child.advance() {
      case .pending: break
      case .standing: try child.proceed()
      case .running(let report): self.report = report
      }
    }
  }

  deinit {
    child.kill()
    // A child whose launch failed is gone already.
    if report != nil { _ = try? end() }
  }

  /// One command, one line.
  func ask(_ command: String) throws -> String {
    try send(command)
    return try answer(to: command)
  }

  /// The next line it answers.
  func answer(to command: String = "the command") throws -> String {
    while true {
      if let newline = answers.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: answers[..<newline], as: UTF8.self)
        answers.removeSubrange(...newline)
        return line
      }
      guard status == nil else { throw Silence(description: "it \(status!) at \(command)") }
      try wait(command)
    }
  }

  func send(_ command: String) throws {
    _ = try FileDescriptor.write(Array("\(command)\n".utf8)[...], to: child.inputDescriptor)
  }

  /// Waits for its end.
  func end() throws -> ProcessStatus {
    while true {
      if let status { return status }
      try wait("the end")
    }
  }

  /// One turn of the loop.
  func wait(_ what: String, milliseconds: Int32 = 20_000) throws {
    var entries = [
      PollEntry(child.pidDescriptor, .input),
      PollEntry(child.outputDescriptor, .input),
      PollEntry(child.standardErrorDescriptor, errors.count < 1 << 20 ? .input : []),
      PollEntry(child.listenerDescriptor ?? -1, .input),
      PollEntry(child.statusDescriptor ?? -1, .input),
    ]
    guard try poll(&entries, milliseconds: milliseconds) > 0 else {
      throw Silence(description: "nothing happened in \(milliseconds) ms: \(what)")
    }
    violations += child.handleNotifications()
    turns += 1
    guard turns < 1_000_000 else { throw Silence(description: "a loop without end: \(what)") }
    answers += (try? FileDescriptor.read(from: child.outputDescriptor, upTo: 65_536)) ?? []
    errors += (try? FileDescriptor.read(from: child.standardErrorDescriptor, upTo: 65_536)) ?? []
    if report != nil { status = child.reap() }
  }
}

/// The launchers under test: of the debug and of the release build.
enum Launchers {
  static let built = Products.launcher

  /// Each one that there is. `make test` installs both.
  static let all: [String] = {
    let candidates = [
      built, Products.debugPrefix.map { "\($0)/libexec/keyhost/keyhost-launcher" },
    ]
    var seen: Set<String> = []
    return candidates.compactMap { $0 }.filter { access($0, X_OK) == 0 && seen.insert($0).inserted }
  }()
}
