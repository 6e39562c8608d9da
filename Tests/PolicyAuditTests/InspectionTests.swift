import CSandboxTesting
import ClassicBPF
import Glibc
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// A process that stands still under filters, until the test lets go of it.
private final class HeldProcess {
  let identifier: pid_t

  init(_ programs: [BPFProgram], name: String = "held") throws {
    identifier = sandbox_testing_hold(
      programs.flatMap(\.bytes), programs.map { UInt32($0.instructions.count) },
      UInt32(programs.count), name)
    try #require(identifier > 0)
  }

  deinit {
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  var inspection: ProcessInspection { get throws { try ProcessInspection(of: identifier) } }
}

@Suite struct InspectionTests {
  static let allow = BPFProgram([BPFInstruction(code: 0x06, k: 0x7fff_0000)])

  static func refusing(_ number: UInt32) -> BPFProgram {
    BPFProgram([
      BPFInstruction(code: 0x20, k: 0), BPFInstruction(code: 0x15, jumpFalse: 1, k: number),
      BPFInstruction(code: 0x06, k: 0x0005_0001), BPFInstruction(code: 0x06, k: 0x7fff_0000),
    ])
  }

  /// What it says of a process that cannot be inspected.
  static func refusal(_ process: Int32) -> String? {
    do throws(AuditError) {
      _ = try ProcessInspection(of: process)
      return nil
    } catch { return error.message }
  }

  @Test("stacked filters are read in the order in which they were loaded; others may not read them")
  func filters() throws {
    let programs = [Self.allow, Self.refusing(500), Self.refusing(501), Self.allow]
    let held = try HeldProcess(programs)
    let inspection = try held.inspection
    #expect(inspection.mode.value == .filter)
    #expect(inspection.filterCount == nil || inspection.filterCount == 4)
    #expect(inspection.hasNoNewPrivileges.value == true)
    switch inspection.filters {
    case .read(let found): #expect(found == programs)
    case .notPermitted(let reason):
      #expect(!Products.isRoot)
      #expect(reason.contains("root"))
      #expect(!inspection.isComplete)
      #expect(throws: AuditError.self) { try FilterSubject(ofProcess: held.identifier) }
    case .unknown(let reason): Issue.record("\(reason)")
    }
    // It has been let go of.
    let status = try Files.text("/proc/\(held.identifier)/status")
    #expect(status.contains("TracerPid:\t0\n"))
  }

  @Test("no filter is told as none, and as a filter it allows all")
  func none() throws {
    let held = try HeldProcess([])
    let inspection = try held.inspection
    #expect(inspection.mode.value == FilterMode.none)
    #expect(inspection.filters.value?.isEmpty == true)
    #expect(inspection.isComplete)
    let subject = try FilterSubject(ofProcess: held.identifier)
    let difference = try FilterDifference(
      from: subject, to: Subjects.everything, space: Subjects.space)
    #expect(difference.isEmpty)
  }

  private typealias FilterMode = ProcessInspection.FilterMode

  @Test("a stopped process is read, and stays stopped", .enabled(if: Products.isRoot))
  func stopped() throws {
    let held = try HeldProcess([Self.allow])
    kill(held.identifier, SIGSTOP)
    waitpid(held.identifier, nil, WUNTRACED)
    #expect(try held.inspection.filters.value == [Self.allow])
    // The kernel puts it back into its stop, which takes a moment, before it can do anything else.
    for _ in 0..<1000 {
      if try Files.text("/proc/\(held.identifier)/status").contains("State:\tT") { break }
      usleep(2000)
    }
    #expect(try Files.text("/proc/\(held.identifier)/status").contains("State:\tT"))
    // Its parent is not told that it went on.
    #expect(waitpid(held.identifier, nil, WNOHANG | 8) == 0)
  }

  @Test(
    "a policy differs from the process under its program in nothing", .enabled(if: Products.isRoot))
  func acrossKinds() throws {
    let policy = try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["ptrace", "mount"], "action": "SCMP_ACT_ERRNO"}]}"#
    )
    let held = try HeldProcess(policy.programs)
    let process = try FilterSubject(ofProcess: held.identifier)
    #expect(process.name == "pid:\(held.identifier)")
    #expect(
      try FilterDifference(from: policy, to: process, space: Subjects.space).isEmpty)
    let stricter = try HeldProcess(policy.programs + [Self.refusing(165 + 1)])
    let changes = try FilterDifference(
      from: policy, to: try FilterSubject(ofProcess: stricter.identifier), space: Subjects.space
    ).changes
    #expect(changes.map(\.systemCall) == ["umount2"])
    #expect(changes.map(\.kind) == [.newlyDenied])
  }

  @Test("descriptors, limits and namespaces are those of the process")
  func surroundings() throws {
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    let path = "\(folder)/a\u{1b}[31mb"
    try Files.write("", to: path)
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let inspection = try HeldProcess([], name: "a\nb\u{1b}").inspection
    // The kernel writes a newline and a backslash in names as escapes.
    #expect(inspection.name == "a\\nb\u{1b}")
    let found = try #require(
      inspection.descriptors.value?.first { $0.number == descriptor })
    #expect(found.target == path)
    #expect(found.access == "r")
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(7), &limit)
    let row = try #require(inspection.limits.value?.first { $0.name == "Max open files" })
    #expect(row.soft == "\(limit.rlim_cur)" && row.unit == "files")
    #expect(inspection.namespaces.contains { $0.kind == "user" })
    #expect(inspection.namespaces.allSatisfy { $0.isShared == true })
    #expect(inspection.users == Array(repeating: getuid(), count: 4))
    #expect(inspection.parent == getpid())
  }

  /// Among characters, the first few hide the parenthesis after the name, and the others its line's
  /// end: letters that join the next one, and a carriage return.
  @Test(
    "no name that a process gives itself hides the process, its start or its filters",
    arguments: [
      "a\u{600}", "\u{d4e}", "x\u{111c2}", ") Z 1 1 \u{600}", "a) S 1 (\u{110bd}", "a\r", "\r",
      "\u{301}", ") R \u{301}", "a\u{200d}\r", ")\r", "Seccomp:\t0\r",
    ])
  func names(_ name: String) throws {
    let held = try HeldProcess([Self.allow], name: name)
    let inspection = try held.inspection
    #expect(Array(inspection.name.utf8) == Array(name.utf8))
    #expect(inspection.state.hasPrefix("S") || inspection.state.hasPrefix("R"))
    #expect(inspection.mode.value == .filter)
    #expect(inspection.parent == getpid())
    #expect(inspection.users == Array(repeating: getuid(), count: 4))
    // The kernel's own count, by bytes: the twentieth field after the name.
    let stat = try Files.read("/proc/\(held.identifier)/stat")
    let fields = stat[stat.lastIndex(of: UInt8(ascii: ")"))!...].split(separator: 0x20)
    #expect(String(inspection.start) == String(decoding: fields[20], as: UTF8.self))
    #expect(inspection.start > 0)
  }

  @Test(
    "another user's process: what may not be seen is said, and never taken for none",
    .enabled(if: !Products.isRoot))
  func notPermitted() throws {
    let inspection = try ProcessInspection(of: 1)
    #expect(!inspection.isComplete)
    guard case .notPermitted = inspection.descriptors else {
      Issue.record("descriptors: \(inspection.descriptors)")
      return
    }
    #expect(
      inspection.namespaces.contains { if case .notPermitted = $0.identity { true } else { false } }
    )
  }

  @Test("a process that is not there, has ended, or is the kernel's own: each its own words")
  func refusals() throws {
    #expect(Self.refusal(.max) == "there is no process \(Int32.max)")
    let ended = fork()
    if ended == 0 { _exit(0) }
    var information = siginfo_t()
    waitid(P_PID, id_t(ended), &information, WEXITED | WNOWAIT)
    #expect(Self.refusal(ended)?.contains("has ended, and only waits for its parent") == true)
    waitpid(ended, nil, 0)
    let kernel = (2..<200).first { process in
      (try? Files.text("/proc/\(process)/status").contains("Kthread:\t1")) == true
    }
    if let kernel {
      #expect(Self.refusal(Int32(kernel))?.contains("is a kernel thread") == true)
    }
  }

  @Test("a process that ends meanwhile is told as one that has ended, whenever that is")
  func endsMeanwhile() {
    for delay in 0..<60 {
      let process = fork()
      if process == 0 {
        usleep(UInt32(delay * 20))
        _exit(0)
      }
      for _ in 0..<6 {
        if let message = Self.refusal(process) {
          #expect(
            message.contains("ended") || message.contains("there is no process"), "\(message)")
        }
      }
      waitpid(process, nil, 0)
      #expect(Self.refusal(process) == "there is no process \(process)")
    }
  }
}
