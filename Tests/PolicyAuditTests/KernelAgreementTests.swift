import ClassicBPF
import Glibc
import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// A claim that is proven is never contradicted by the running kernel, and neither is one that is
/// broken: over our policies, what mistakes make of them, and published ones.
@Suite(.enabled(if: KernelJudge.isAvailable)) struct KernelAgreementTests {
  /// Calls that a claim is about, made without the prover's sets: arguments at random, at the edges,
  /// and with bits that the kernel does not read.
  static func samples(of claim: Claim, _ random: inout SplitMix) -> [SeccompData] {
    var result: [SeccompData] = []
    for architecture in Subjects.space.architectures {
      for pattern in claim.never {
        // A call that kills costs a process: of foreign architectures, one a pattern.
        let isNative = architecture == Subjects.space.architectures.first
        let names =
          isNative ? pattern.calls : Array(pattern.calls.shuffled(using: &random).prefix(1))
        for name in names {
          guard let number = Subjects.space.table.number(of: name, on: architecture) else {
            continue
          }
          for _ in 0..<(isNative ? 2 : 1) {
            let input = SeccompData(
              number: number, architecture: architecture.auditValue,
              arguments: arguments(of: pattern, on: architecture, &random))
            if KernelJudge.canJudge(input) { result.append(input) }
          }
        }
      }
      // Any call of a foreign architecture.
      if claim.nativeOnly, architecture != Subjects.space.architectures[0] {
        for (number, _) in Subjects.space.calls(on: architecture).shuffled(using: &random).prefix(8)
        {
          let input = SeccompData(number: number, architecture: architecture.auditValue)
          if KernelJudge.canJudge(input) { result.append(input) }
        }
      }
    }
    return result
  }

  static func arguments(
    of pattern: Claim.Pattern, on architecture: SeccompArchitecture, _ random: inout SplitMix
  ) -> [UInt64] {
    var values = (0..<6).map { _ in word(&random) }
    for condition in pattern.conditions {
      var value = values[condition.index] & ~condition.mask
      if condition.isNegated {
        var other = word(&random) & condition.mask
        // Some value that is none of those.
        while condition.values.contains(other) {
          other = ((other | ~condition.mask) &+ 1) & condition.mask
        }
        value |= other
      } else {
        value |= condition.values.randomElement(using: &random) ?? 0
      }
      values[condition.index] = value
    }
    // 32-bit code has no upper halves.
    return architecture == .x86 ? values.map { $0 & 0xffff_ffff } : values
  }

  static func word(_ random: inout SplitMix) -> UInt64 {
    let value = random.next()
    return [0, 1, value, value & 0xff, value << 32, 0xffff_ffff, .max, value & 0xffff][
      Int(value >> 60) % 8]
  }

  /// Proves the claims about a subject, and has the kernel judge their witnesses and samples.
  ///
  /// - Returns: how many claims were proven and how many broken, and how many calls were judged.
  @discardableResult
  static func check(
    _ subject: FilterSubject, _ claims: [Claim], _ random: inout SplitMix
  ) throws -> (proven: Int, broken: Int, judged: Int) {
    let prover = try ClaimProver(about: subject, space: Subjects.space)
    var calls: [(claim: String, input: SeccompData, mustPass: Bool?)] = []
    var counts = (proven: 0, broken: 0, judged: 0)
    for claim in claims {
      switch try prover.prove(claim) {
      case .proven:
        counts.proven += 1
        calls += samples(of: claim, &random).map { (claim.name, $0, false) }
      case .broken(let witnesses):
        counts.broken += 1
        calls += witnesses.map(\.input).filter(KernelJudge.canJudge)
          .map { (claim.name, $0, true) }
        // What else the claim is about may go either way, as the simulator says.
        calls += samples(of: claim, &random).prefix(6).map { (claim.name, $0, nil) }
      }
    }
    let verdicts = try KernelJudge.verdicts(on: calls.map(\.input), subject)
    for (call, verdict) in zip(calls, verdicts) {
      if let mustPass = call.mustPass {
        #expect(
          (verdict == .letThrough) == mustPass, "\(subject.name), \(call.claim): \(call.input)")
      }
      #expect(verdict == .init(subject.action(for: call.input)), "\(subject.name): \(call.input)")
    }
    counts.judged = calls.count
    return counts
  }

  static func allClaims() throws -> [Claim] {
    try Subjects.claimNames.map(Subjects.claim)
      + ["no-socket-family=AF_ALG", "no-socket-family=AF_UNIX", "deny:ioctl,arg1=0x5412"]
      .map { try #require(try Claim(expression: $0)) }
  }

  @Test("our own policies keep in the kernel what is proven of them", arguments: [false, true])
  func shipped(openAccess: Bool) throws {
    var random = SplitMix(seed: openAccess ? 11 : 12)
    let subject = try Subjects.keyboard(openAccess: openAccess)
    let counts = try Self.check(subject, try Self.allClaims(), &random)
    #expect(counts.proven >= 18)
    #expect(counts.judged > 300)
  }

  @Test("each claim's violating policy is caught, and the kernel lets the witness through")
  func violated() throws {
    let folder = "\(SourceTree.root)/Policies/claims/violated"
    let claims = Subjects.claimNames
    #expect(try Files.list(folder).sorted() == claims.map { "\($0).json" })
    var random = SplitMix(seed: 13)
    for name in claims {
      let subject = try Subjects.policy(
        String(decoding: try Files.read("\(folder)/\(name).json"), as: UTF8.self))
      #expect(
        try PolicyValidator().validate(
          try #require(subject.programs.first), against: try #require(subject.policy),
          table: LibseccompTable()) == .equal)
      let claim = try Subjects.claim(name)
      let witnesses = try ClaimTests.witnesses(claim, subject)
      #expect(!witnesses.isEmpty, "\(name)")
      try Self.check(subject, [claim], &random)
      // Made for real, too, where this machine can.
      for witness in witnesses {
        guard let run = try? WitnessRun(of: witness, under: subject) else { continue }
        #expect(run.isLetThrough, "\(name): \(witness)")
        #expect(run.outcome == run.unfiltered, "\(name): \(run)")
      }
    }
  }

  @Test("our policy with any rule loosened: what is still proven holds, what is not does not")
  func loosened() throws {
    let original = try #require(try Subjects.keyboard(openAccess: false).policy)
    var random = SplitMix(seed: 14)
    let claims = try Self.allClaims()
    var broken = 0
    for index in original.rules.indices.shuffled(using: &random).prefix(Self.mutants) {
      var policy = original
      let rule = policy.rules[index]
      switch random.next() % 3 {
      // A refused call is allowed, an allowed one whatever its arguments.
      case 0: policy.rules[index].action = .allow
      case 1:
        policy.rules[index].action = .allow
        policy.rules[index].conditions = []
      default:
        // A compare under a mask becomes one over all bits, and the other way round.
        policy.rules[index].conditions = rule.conditions.map { condition in
          var condition = condition
          if case .maskedEqual(_, let datum) = condition.test { condition.test = .equal(datum) }
          if case .equal(let datum) = condition.test {
            condition.test = .maskedEqual(mask: 0xff, datum & 0xff)
          }
          return condition
        }
      }
      guard let program = try? SeccompCompiler().compile(policy) else { continue }
      let subject = FilterSubject(
        name: "rule \(index) (\(rule.systemCall)) loosened", programs: [program], policy: policy)
      broken += try Self.check(subject, claims, &random).broken
    }
    #expect(broken > 0)
  }

  private static let mutants = getenv("KEYHOST_FULL") == nil ? 12 : 120

  @Test("stacked filters are proven as the kernel composes them")
  func stacked() throws {
    var random = SplitMix(seed: 15)
    let claims = try Self.allClaims()
    let ours = try Subjects.keyboard(openAccess: true)
    let loose = try Subjects.policy(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["ptrace", "socket"], "action": "SCMP_ACT_KILL_PROCESS"}, {"names": ["connect"], "action": "SCMP_ACT_TRAP"}]}"#
    )
    // Ours last: it forbids to load another.
    let subject = FilterSubject(name: "stack", programs: loose.programs + ours.programs)
    let counts = try Self.check(subject, claims, &random)
    #expect(counts.proven >= claims.count - 2)
  }

  @Test(
    "published policies: proven and broken claims are so in the kernel",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason)),
    arguments: [
      "moby-default-v1.12.0.json", "moby-default-v20.10.24.json",
      "moby-profiles-master-2026-08.json", "moby-fixture-conditional_clone3.json",
      "containers-common-v0.38.0.json", "jessfraz-chrome.json", "docker-labs-deny.json",
      "antitree-raw-bpf-default.bpf.json",
    ])
  func published(name: String) throws {
    var random = SplitMix(seed: 16)
    let subject = try Subjects.reader.read(
      try Corpus.read(name), name: name, load: Policies.load)
    try Self.check(subject, try Self.allClaims(), &random)
  }
}
