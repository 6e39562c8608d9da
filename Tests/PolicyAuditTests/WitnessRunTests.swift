import CSandboxTesting
import ClassicBPF
import Glibc
import LinuxSystem
import PolicyAudit
import SandboxPolicy
import TestSupport
import Testing

/// Whether processes can be made that reach nothing: without that no witness is run.
private let canRun: Bool = {
  let call = CallTrial(filters: [], number: 39, arguments: [])
  return (try? call.run()) != nil
}()

@Suite(.enabled(if: canRun && SeccompArchitecture.native == .x8664)) struct WitnessRunTests {
  static func witness(
    _ call: String, _ arguments: [UInt64] = [], _ subject: FilterSubject,
    on architecture: SeccompArchitecture = .x8664
  ) throws -> Witness {
    let input = SeccompData(
      number: try #require(Subjects.space.table.number(of: call, on: architecture)),
      architecture: architecture.auditValue, arguments: arguments)
    return Witness(input, action: subject.action(for: input), space: Subjects.space)
  }

  static func run(
    _ call: String, _ arguments: [UInt64] = [], _ subject: FilterSubject
  ) throws -> WitnessRun {
    let witness = try witness(call, arguments, subject)
    let run = try WitnessRun(of: witness, under: subject)
    #expect(!run.contradicts(witness.action))
    return run
  }

  @Test("a block by ranges over 64 bits is none: the socket is made")
  func ranges() throws {
    // AF_INET refused in the way in which a published profile refuses AF_VSOCK.
    let text = """
      {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
        {"names": ["exit_group"], "action": "SCMP_ACT_ALLOW"},
        {"names": ["socket"], "action": "SCMP_ACT_ALLOW",
         "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_LT"}]},
        {"names": ["socket"], "action": "SCMP_ACT_ALLOW",
         "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_GT"}]}]}
      """
    let subject = try Subjects.policy(text)
    let claim = try #require(try Claim(expression: "no-socket-family=AF_INET"))
    let witness = try #require(try ClaimTests.witnesses(claim, subject).first)
    #expect(witness.input.argument(0) == 0x1_0000_0002)
    let run = try WitnessRun(of: witness, under: subject)
    #expect(run.isLetThrough)
    #expect(run.outcome == .returned(0))
    #expect(run.description(of: "socket").contains("socket returned descriptor 0"))
    // The call without bit 32 is refused.
    #expect(try Self.run("socket", [2, 1], subject).outcome == .failed(.notPermitted))
  }

  @Test(
    "the newest published container profile lets AF_VSOCK and AF_ALG through",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason)))
  func published() throws {
    let name = "moby-profiles-master-2026-08.json"
    let subject = try Subjects.reader.read(
      try Corpus.read(name), name: name, load: Policies.load)
    for family in [UInt64(40), 38] {
      let claim = try #require(try Claim(expression: "no-socket-family=\(family)"))
      let witness = try #require(try ClaimTests.witnesses(claim, subject).first)
      #expect(witness.systemCall == "socket")
      #expect(witness.input.argument(0) == family | 1 << 32)
      let run = try WitnessRun(of: witness, under: subject)
      #expect(run.isLetThrough)
      // A kernel without the family says so itself: then that is what is told.
      #expect(run.outcome == .returned(0) || run.outcome == .failed(.unsupportedFamily))
      #expect(run.outcome == run.unfiltered)
    }
  }

  @Test("every kind of answer is told apart")
  func answers() throws {
    func policy(_ action: String) throws -> FilterSubject {
      try Subjects.policy(
        #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["socket"], "action": "\#(action)"}]}"#
      )
    }
    func outcome(_ action: String) throws -> (Bool, CallTrial.Outcome) {
      let run = try Self.run("socket", [2, 1], try policy(action))
      return (run.isLetThrough, try #require(run.outcome))
    }
    #expect(try outcome("SCMP_ACT_ERRNO") == (false, .failed(.notPermitted)))
    #expect(try outcome("SCMP_ACT_NOTIFY") == (false, .failed(.notImplemented)))
    #expect(try outcome("SCMP_ACT_TRACE") == (false, .failed(.notImplemented)))
    #expect(try outcome("SCMP_ACT_LOG") == (true, .returned(0)))
    for action in ["SCMP_ACT_KILL_PROCESS", "SCMP_ACT_KILL_THREAD", "SCMP_ACT_TRAP"] {
      let (letThrough, outcome) = try outcome(action)
      #expect(!letThrough)
      guard case .ended(.signaled(Signals.badSystemCall, _)) = outcome else {
        Issue.record("\(action): \(outcome)")
        continue
      }
    }
  }

  @Test("calls that make processes, that end, that wait and that would do harm are run without any")
  func harmless() throws {
    let victim = fork()
    if victim == 0 {
      while true { pause() }
    }
    defer {
      kill(victim, SIGKILL)
      waitpid(victim, nil, 0)
    }
    let name = KernelSettings.text("kernel/hostname")
    let everything = Subjects.everything
    // As the first process of its own namespace it has nobody to send to.
    #expect(try Self.run("kill", [UInt64.max, 9], everything).outcome == .failed(.noSuchProcess))
    #expect(
      try Self.run("kill", [UInt64(victim), 9], everything).outcome == .failed(.noSuchProcess))
    #expect(try Self.run("sethostname", [0, 0], everything).outcome == .returned(0))
    // To the process group, whose members may be in other namespaces: there is only itself.
    #expect(try Self.run("kill", [0, 9], everything).outcome == .returned(0))
    #expect(try Self.run("fork", [], everything).outcome == .returned(2))
    #expect(try Self.run("vfork", [], everything).outcome == .returned(2))
    // A thread without a stack.
    #expect(try Self.run("clone", [0x10f00, 1], everything).outcome == .returned(2))
    #expect(try Self.run("exit_group", [7], everything).outcome == .ended(.exited(7)))
    #expect(try Self.run("fchmod", [0, 0], everything).outcome == .failed(.badFileDescriptor))
    let waiting = CallTrial(filters: [], number: 34, arguments: [], patience: 50)
    #expect(try waiting.run() == .stillRunning)
    #expect(kill(victim, 0) == 0)
    #expect(KernelSettings.text("kernel/hostname") == name)
  }

  @Test("a user's key outlives every call that names it, by each of the numbers there are")
  func keys() throws {
    let key = sandbox_testing_key("keyhost-trial-\(getpid())")
    // Some kernels and containers have no keys.
    guard key > 0 else { return }
    // KEYCTL_REVOKE.
    let revoke = [3, UInt64(key)]
    var seen = 0
    for architecture in [SeccompArchitecture.x8664, .x32, .x86] {
      if architecture == .x86, !KernelJudge.hasI386 { continue }
      let witness = try Self.witness("keyctl", revoke, Subjects.everything, on: architecture)
      let run = try WitnessRun(of: witness, under: Subjects.everything)
      #expect(run.isLetThrough && run.outcome == nil && run.unfiltered == nil)
      #expect(
        run.description(of: "keyctl")
          == "let through, and not made: what it does would reach beyond the process that makes it")
      #expect(sandbox_testing_has_key(key) == 1)
      seen += 1
    }
    #expect(seen > 1)
  }

  @Test("calls whose effect would leave the process, or that nobody knows, are only judged")
  func judged() throws {
    let outward = [
      "keyctl", "add_key", "request_key", "sync", "syncfs", "quotactl", "reboot", "kexec_load",
      "swapon", "swapoff", "settimeofday", "clock_settime", "adjtimex", "init_module",
      "setpriority", "ioprio_set", "bpf", "perf_event_open", "acct", "syslog", "vhangup",
    ]
    let refusing = try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["sync"], "action": "SCMP_ACT_ERRNO"}]}"#
    )
    for name in outward {
      for architecture in [SeccompArchitecture.x8664, .x32, .x86] {
        if architecture == .x86, !KernelJudge.hasI386 { continue }
        guard Subjects.space.table.number(of: name, on: architecture) != nil else { continue }
        let witness = try Self.witness(name, [], refusing, on: architecture)
        let run = try WitnessRun(of: witness, under: refusing)
        #expect(run.outcome == nil && run.reasonNotMade != nil, "\(name) on \(architecture)")
        #expect(!run.contradicts(witness.action))
      }
    }
    // Numbers beyond the tables that were looked at, and holes in them.
    for number in [UInt32(335), 470, 520, 4095, 0x4000_0000 + 13, 0x7fff_ffff, .max] {
      let input = SeccompData(number: number, architecture: SeccompArchitecture.x8664.auditValue)
      let witness = Witness(input, action: .allow, space: Subjects.space)
      let run = try WitnessRun(of: witness, under: Subjects.everything)
      #expect(run.outcome == nil && run.reasonNotMade != nil, "\(number)")
    }
    // A wrong name makes no difference: the number is what would be made.
    var disguised = try Self.witness("sync", [], Subjects.everything)
    disguised.systemCall = "getpid"
    #expect(try WitnessRun(of: disguised, under: Subjects.everything).outcome == nil)
  }

  @Test("a call gets no memory to speak of")
  func memory() throws {
    let everything = Subjects.everything
    // Readable and writable, private, of no file, filled at once.
    let gigabyte: [UInt64] = [0, 1 << 30, 3, 0x8022, UInt64.max, 0]
    #expect(try Self.run("mmap", gigabyte, everything).outcome == .failed(Errno(rawValue: ENOMEM)))
    let locked: [UInt64] = [0, 1 << 20, 3, 0x2022, UInt64.max, 0]
    let outcome = try Self.run("mmap", locked, everything).outcome
    #expect(
      outcome == .failed(.notPermitted) || outcome == .failed(.wouldBlock), "\(outcome as Any)")
    #expect(try Self.run("mlockall", [1], everything).outcome == .failed(.notPermitted))
    var small = gigabyte
    small[1] = 1 << 20
    guard case .returned? = try Self.run("mmap", small, everything).outcome else {
      Issue.record("a megabyte is not to be had")
      return
    }
  }

  @Test("a call of 32-bit code is made as 32-bit code makes it", .enabled(if: KernelJudge.hasI386))
  func i386() throws {
    let witness = try Self.witness("socket", [2, 1], Subjects.everything, on: .x86)
    #expect(
      try WitnessRun(of: witness, under: Subjects.everything).outcome == .returned(0))
    let killed = try Subjects.keyboard(openAccess: true)
    let refused = try Self.witness("socket", [2, 1], killed, on: .x86)
    #expect(refused.action == .killProcess)
    #expect(try !WitnessRun(of: refused, under: killed).isLetThrough)
  }

  @Test("a call of another machine's architecture is not run, and a wrong program neither")
  func notRun() throws {
    let foreign = Witness(
      SeccompData(number: 1, architecture: SeccompArchitecture.aarch64.auditValue), action: .allow,
      space: Subjects.space)
    #expect(throws: AuditError.self) { try WitnessRun(of: foreign, under: Subjects.everything) }
    let wrong = Subjects.program([BPFInstruction(code: 0x20, k: 64)])
    let witness = try Self.witness("socket", [], Subjects.everything)
    #expect(throws: AuditError.self) { try WitnessRun(of: witness, under: wrong) }
  }
}
