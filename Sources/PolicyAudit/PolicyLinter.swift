import ClassicBPF
import SandboxPolicy

/// Finds the mistakes that real policies make. Where it can, it judges what the compiled program
/// does and not how the rules are written, so that it does not cry over what works.
public struct PolicyLinter: Sendable {
  let space: CallSpace
  private let budget: Int

  /// - Parameter budget: the most steps; see `InputSets`.
  public init(space: CallSpace, budget: Int = InputSets.ordinaryBudget) {
    self.space = space
    self.budget = budget
  }

  /// - Throws: when the filter cannot be followed for every input.
  public func lint(_ subject: FilterSubject) throws(AuditError) -> [LintFinding] {
    let sets = InputSets(budget: budget)
    let meaning = try FilterMeaning(of: subject, in: sets)
    let answers = CallAnswers(meaning: meaning, space: space)
    var findings = subject.notes.filter { $0.severity == .warning }.map(Self.finding)
    if let policy = subject.policy {
      findings += ruleFindings(policy)
    }
    let questions: [(what: String, ask: () -> [LintFinding])] = [
      ("whether it refuses anything", { openness(answers, subject) }),
      ("the widths of arguments", { wideCompares(answers, subject.policy) }),
      ("calls that do the same", { siblings(answers) }),
      ("calls of other architectures", { architectures(answers, subject) }),
      ("what C libraries try", { probes(answers) }),
      ("how a program ends", { exits(answers) }),
    ]
    for (what, ask) in questions {
      findings += ask()
      if sets.isExhausted { throw AuditError.exhausted(sets, subject.name, at: what) }
    }
    return findings
  }

  private static func finding(_ note: PolicyNote) -> LintFinding {
    let kind: LintFinding.Kind =
      if note.message.contains("knows no system call") {
        .unknownName
      } else if note.message.contains("compared twice") {
        .repeatedArgument
      } else if note.message.contains("as if it had succeeded") {
        .errnoZero
      } else if note.message.contains("not among the architectures") {
        .architecture
      } else {
        .reading
      }
    return LintFinding(kind: kind, location: note.location, message: note.message)
  }

  /// A filter that lets every call through, of whatever kind it is.
  private func openness(_ answers: CallAnswers, _ subject: FilterSubject) -> [LintFinding] {
    guard let native = space.architectures.first else { return [] }
    let sets = answers.meaning.sets
    let calls = space.inputs(of: native, in: sets)
    guard sets.subtracting(answers.permitted, from: calls).isEmpty else { return [] }
    let isOpen = answers.permitted == .all
    let whose = isOpen ? "" : " of \(CallSpace.shortName(native)) programs"
    let what = subject.programs.isEmpty ? "there is no filter: every call" : "every call\(whose)"
    return [
      LintFinding(
        kind: .allowsAll,
        message: "\(what) is let through, whatever its arguments: nothing is protected",
        remedy: #"{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": ["#
          + #"{"names": ["read", "write", "exit_group"], "action": "SCMP_ACT_ALLOW"}]}, with the "#
          + "names of all calls that are needed",
        witness: sets.element(of: calls).map {
          Witness($0, action: answers.action(of: $0), space: space)
        })
    ]
  }

  /// Ints whose ignored upper halves change the answer from a refusal to permission.
  private func wideCompares(
    _ answers: CallAnswers, _ policy: ResolvedSeccompPolicy?
  ) -> [LintFinding] {
    let sets = answers.meaning.sets
    var findings: [LintFinding] = []
    guard let native = space.architectures.first, native.has64BitArguments else { return [] }
    for call in ArgumentKind.knownCalls {
      guard let inputs = answers.inputs(call, on: native) else { continue }
      let permitted = sets.intersection(inputs, answers.permitted)
      for index in 0..<6 where ArgumentKind.of(call, argument: index) == .word {
        let high = PolicyMeaning.lowWord(ofArgument: index) + 1
        let zero = sets.word(high, equals: 0)
        let plain = sets.forgetting(word: high, in: sets.intersection(permitted, zero))
        guard let element = sets.element(of: sets.subtracting(plain, from: permitted)) else {
          continue
        }
        let rule = policy?.rules.first { rule in
          rule.systemCall == call && rule.conditions.contains { $0.index == index }
        }
        findings.append(
          LintFinding(
            kind: .wideCompare, location: rule?.source,
            message:
              "\(call) is refused for some values of argument \(index), and let through when bits "
              + "above the 32nd are set; the kernel reads an int and ignores those",
            remedy: Self.mended(rule, index: index),
            witness: Witness(element, action: answers.action(of: element), space: space)))
      }
    }
    return findings
  }

  /// The rule's condition under a mask, where one condition says the same.
  private static func mended(_ rule: ResolvedSeccompPolicy.Rule?, index: Int) -> String? {
    guard let rule, let condition = rule.conditions.first(where: { $0.index == index }),
      case .equal(let datum) = condition.test
    else {
      return "compare by SCMP_CMP_MASKED_EQ with value 4294967295, one rule for each value"
    }
    return #"{"index": \#(index), "value": 4294967295, "valueTwo": \#(datum & 0xffff_ffff), "#
      + #""op": "SCMP_CMP_MASKED_EQ"}"#
  }

  /// Pairs of a call and another that does the same, if the first is closed and the second open.
  private static let siblingPairs: [(closed: String, open: [String], why: String)] = [
    ("clone", ["clone3"], "makes processes and namespaces, with flags that no filter can see"),
    ("fork", ["vfork", "clone3"], "makes processes"),
    ("execve", ["execveat"], "starts programs"),
    (
      "mount", ["fsopen", "fsconfig", "fsmount", "move_mount", "open_tree", "mount_setattr"],
      "mounts and changes mounts"
    ),
    ("umount2", ["move_mount"], "takes mounts away"),
    ("socket", ["io_uring_setup"], "opens and uses sockets"),
    ("openat", ["open", "openat2", "io_uring_setup", "open_by_handle_at"], "opens files"),
    ("ptrace", ["process_vm_readv", "process_vm_writev", "pidfd_getfd"], "reads other processes"),
    ("kill", ["tkill", "tgkill", "rt_sigqueueinfo", "pidfd_send_signal"], "sends signals"),
    ("init_module", ["finit_module"], "loads modules"),
    ("kexec_load", ["kexec_file_load"], "loads kernels"),
    ("chmod", ["fchmodat"], "changes modes"),
    ("setns", ["clone3"], "enters or makes namespaces"),
  ]

  private func siblings(_ answers: CallAnswers) -> [LintFinding] {
    let sets = answers.meaning.sets
    guard let native = space.architectures.first else { return [] }
    var findings: [LintFinding] = []
    for pair in Self.siblingPairs {
      guard let inputs = answers.inputs(pair.closed, on: native) else { continue }
      let permitted = sets.intersection(inputs, answers.permitted)
      if permitted == inputs { continue }
      for name in pair.open {
        guard let other = answers.inputs(name, on: native),
          sets.intersection(other, answers.permitted) == other
        else { continue }
        let how = permitted.isEmpty ? "closed" : "closed for some arguments"
        findings.append(
          LintFinding(
            kind: .sibling,
            message: "\(pair.closed) is \(how) and \(name) is open, which also \(pair.why)",
            remedy: name == "clone3"
              ? #"{"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}"#
              : #"{"names": ["\#(name)"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}"#,
            witness: sets.element(of: other).map {
              Witness($0, action: answers.action(of: $0), space: space)
            }))
      }
    }
    return findings
  }

  /// Calls that the native architecture refuses and another lets through.
  private func architectures(
    _ answers: CallAnswers, _ subject: FilterSubject
  ) -> [LintFinding] {
    let sets = answers.meaning.sets
    guard let native = space.architectures.first else { return [] }
    var findings: [LintFinding] = []
    for architecture in space.architectures.dropFirst() {
      var names: [String] = []
      var witness: Witness?
      for (number, name) in space.calls(on: architecture) {
        let other = space.inputs(of: number, on: architecture, in: sets)
        let permitted = sets.intersection(other, answers.permitted)
        guard let element = sets.element(of: permitted),
          let inputs = answers.inputs(name, on: native),
          sets.intersection(inputs, answers.permitted).isEmpty
        else { continue }
        names.append(name)
        witness = witness ?? Witness(element, action: answers.action(of: element), space: space)
      }
      if names.isEmpty { continue }
      let list = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " …" : "")
      findings.append(
        LintFinding(
          kind: .architecture,
          message:
            "\(names.count) calls that are refused to \(CallSpace.shortName(native)) programs are "
            + "let through by their \(CallSpace.shortName(architecture)) numbers: \(list)",
          remedy: "check the architecture before the number, or list it in \"architectures\"",
          witness: witness))
    }
    if answers.isPermitted("socketcall", on: .x86),
      let socket = answers.inputs("socket", on: .x86),
      sets.intersection(socket, answers.permitted) != socket
    {
      findings.append(
        LintFinding(
          kind: .architecture,
          message:
            "socket is restricted for i386 and socketcall is open, which makes sockets of any kind",
          remedy: #"{"names": ["socketcall"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}"#))
    }
    if let policy = subject.policy,
      policy.architectures.contains(.s390x) || policy.architectures.contains(.s390),
      let rule = policy.rules.first(where: { rule in
        rule.systemCall == "clone" && rule.conditions.contains { $0.index == 0 }
      })
    {
      findings.append(
        LintFinding(
          kind: .architecture, location: rule.source,
          message: "on s390 the flags of clone are argument 1, and argument 0 is the stack",
          remedy: "a rule of its own for s390, with index 1"))
    }
    return findings
  }

  /// Calls that C libraries try first and do without when there is no such call.
  private static let probes = [
    "clone3", "rseq", "close_range", "faccessat2", "statx", "openat2", "fchmodat2",
    "set_robust_list", "getrandom", "epoll_pwait2", "preadv2", "futex_waitv",
  ]

  private func probes(_ answers: CallAnswers) -> [LintFinding] {
    guard let native = space.architectures.first else { return [] }
    var findings: [LintFinding] = []
    for name in Self.probes {
      guard let action = answers.onlyAction(name, on: native) else { continue }
      let effect: String
      switch action {
      case .errno(1) where name == "clone3":
        effect = "glibc from 2.34 on then starts no thread; with ENOSYS it falls back to clone"
      // These are fallen back from only when there is no such call.
      case .errno(1) where ["faccessat2", "openat2", "statx", "fchmodat2"].contains(name):
        effect = "programs report \"not permitted\" where they would fall back on ENOSYS"
      case .killProcess, .killThread, .trap:
        effect = "programs that only try whether it is there are ended"
      default: continue
      }
      findings.append(
        LintFinding(
          kind: .probe, message: "\(name) answers \(action): \(effect)",
          remedy: #"{"names": ["\#(name)"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}"#))
    }
    return findings
  }

  private func exits(_ answers: CallAnswers) -> [LintFinding] {
    guard let native = space.architectures.first, !answers.isPermitted("exit_group", on: native)
    else { return [] }
    return [
      LintFinding(
        kind: .noExit,
        message: "exit_group is not allowed, so a program cannot end in the usual way",
        remedy: #"{"names": ["exit", "exit_group"], "action": "SCMP_ACT_ALLOW"}"#)
    ]
  }
}
