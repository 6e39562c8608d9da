import ClassicBPF
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import Seccomp

/// System calls by number, made inside, each compared with what the policy's own evaluator says.
///
/// Every call is made with -1 in all places: a descriptor that is none, an address that is none.
public struct CallExperiment {
  /// A table of call numbers, and the way into it.
  public enum Table: String, Sendable, CaseIterable {
    /// The machine's own.
    case native
    /// i386's, by `int $0x80`.
    case i386
    /// x32's: the numbers without the bit that marks them.
    case x32

    var architecture: SeccompArchitecture {
      switch self {
      case .native: .x8664
      case .i386: .x86
      case .x32: .x32
      }
    }
  }

  /// What one call came to.
  public struct Outcome: Sendable, CustomStringConvertible {
    public var table: Table
    public var number: UInt32
    public var name: String
    /// What the policy says.
    public var expected: SeccompAction
    public var got: Answer
    /// What the same call gives outside, where the policy allows it.
    public var outside: Answer?

    public var isAsExpected: Bool {
      if table == .native, CallExperiment.unfiltered.contains(number), isKernelsOwnRefusal {
        return true
      }
      return switch (expected, got) {
      case (.killProcess, .ended(let status)):
        status == .signaled(Signals.badSystemCall, coreDumped: false)
      case (.errno(let number), .result(let result)): result == -Int(number)
      // Refused with the log's knowledge, or the end of the keyboard.
      case (.notify, .told(let result)): result == -Int(Errno.permissionDenied.rawValue)
      case (.notify, .toldAndKilled): true
      case (.allow, _): got.isLike(outside)
      default: false
      }
    }

    /// What the kernel answers when it has let the call past the filter: SIGILL, or ENXIO.
    private var isKernelsOwnRefusal: Bool {
      got == .ended(.signaled(4, coreDumped: false)) || got == .result(-6)
    }

    public var description: String {
      let outside = outside.map { "; outside: \($0)" } ?? ""
      return "\(table.rawValue) \(number) (\(name)): the policy says \(expected), and it \(got)"
        + outside
    }
  }

  public enum Answer: Sendable, Equatable, CustomStringConvertible {
    /// It returned this.
    case result(Int)
    /// The same, and the host was told of the call.
    case told(Int)
    /// The host was told, and killed it.
    case toldAndKilled
    /// It ended the process.
    case ended(ProcessStatus)
    /// It did not come back.
    case waits

    /// The same error, or a success as well: what a call finds may differ inside.
    func isLike(_ other: Answer?) -> Bool {
      if case .result(let result) = self, case .result(let expected)? = other {
        return expected < 0 && expected > -4096 ? result == expected : result >= 0 || result < -4095
      }
      return self == other
    }

    public var description: String {
      switch self {
      case .result(let value): "returned \(value)"
      case .told(let value): "returned \(value) and was told to the host"
      case .toldAndKilled: "was told to the host, which killed it"
      case .ended(let status): "\(status)"
      case .waits: "did not come back"
      }
    }
  }

  private let stage: Stage
  private let grants: SandboxGrants
  private let evaluator: PolicyEvaluator
  private let table = LibseccompTable()
  /// Calls that do not come back when they are allowed: exit, exit_group, rt_sigreturn, pause.
  private static let final: Set<UInt32> = [15, 34, 60, 231]
  /// uretprobe and uprobe: newer kernels let them past every filter, since tracers put them into
  /// programs, and refuse them to anybody else themselves. Older ones leave them to the filter.
  fileprivate static let unfiltered: Set<UInt32> = [335, 336]

  public init(_ stage: Stage, grants: SandboxGrants) throws(SelftestError) {
    self.stage = stage
    self.grants = grants
    evaluator = PolicyEvaluator(try stage.prepare(grants).profile.systemCalls, table: table)
  }

  /// The kernel reads 32 bits, of which it takes the highest for a sign; -1 is what it writes itself
  /// in the place of a call that it skips.
  public static let impossible: [UInt32] = [
    0x3fff_ffff, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff,
  ]

  /// Every number up to fifty beyond the newest that the C library's list knows.
  public func numbers(_ which: Table) -> [UInt32] {
    let base = which == .x32 ? SeccompArchitecture.x32Bit : 0
    let known = (0..<UInt32(1024)).filter {
      table.name(of: base + $0, on: which.architecture) != nil
    }
    let numbers = Array(0...(known.last ?? 512) + 50)
    // Negative numbers, and those at the edges of what is no number at all.
    return which == .x32 ? numbers : numbers + Self.impossible
  }

  /// What the policy says of a number.
  func expected(_ which: Table, _ number: UInt32) -> SeccompAction {
    let marked = which == .x32 ? number | SeccompArchitecture.x32Bit : number
    return evaluator.action(
      auditValue: which.architecture.auditValue, number: marked,
      arguments: [UInt64](repeating: .max, count: 6))
  }

  /// Makes the calls: those that return in one process, each of the others in its own.
  public func run(
    _ which: Table, _ numbers: [UInt32]
  ) throws(SelftestError) -> [Outcome] {
    var outcomes: [Outcome] = []
    var together: [UInt32] = []
    for number in numbers {
      switch expected(which, number) {
      case .errno where which == .native && Self.unfiltered.contains(number):
        outcomes += try observe(which, [number])
      case .errno,
        .allow where !Self.final.contains(number):
        together.append(number)
      default: outcomes += try observe(which, [number])
      }
    }
    for start in stride(from: 0, to: together.count, by: 400) {
      outcomes += try observe(which, Array(together[start..<min(start + 400, together.count)]))
    }
    return outcomes.sorted { $0.number < $1.number }
  }

  private func observe(
    _ which: Table, _ numbers: [UInt32]
  ) throws(SelftestError) -> [Outcome] {
    let inside = try answers(which, numbers, isOutside: false)
    let allowed = numbers.filter { expected(which, $0) == .allow }
    let outside =
      allowed.isEmpty ? [:] : try answers(which, allowed, isOutside: true)
    let base = which == .x32 ? SeccompArchitecture.x32Bit : 0
    return numbers.map { number in
      Outcome(
        table: which, number: number,
        name: table.name(of: base + number, on: which.architecture) ?? "unknown",
        expected: expected(which, number), got: inside[number] ?? .waits,
        outside: outside[number])
    }
  }

  private func answers(
    _ which: Table, _ numbers: [UInt32], isOutside: Bool
  ) throws(SelftestError) -> [UInt32: Answer] {
    let decoys = try Decoys(.none, stage: stage)
    let arguments =
      ["calls", which.rawValue] + [String](repeating: "-1", count: 6) + numbers.map(String.init)
    let attacker: Attacker
    do {
      if isOutside {
        attacker = Attacker(
          .outside(try Attacker.Outside(stage.probe, arguments: arguments, environment: [])))
      } else {
        attacker = Attacker(
          .inside(
            try SandboxedChild.spawn(
              stage.request(decoys, arguments: arguments, grants: grants, without: []),
              launcher: stage.launcher)))
      }
    } catch {
      throw SelftestError("\(error)")
    }
    try attacker.launch()
    guard attacker.wait(for: "ready", milliseconds: 10_000) else {
      throw SelftestError("the attacker did not start: \(attacker.words)")
    }
    attacker.tell("go")
    // One call that may wait is given less time than many that return.
    _ = attacker.wait(for: "end", milliseconds: numbers.count == 1 ? 300 : 20_000)
    attacker.turn(0)
    let status = attacker.status
    attacker.end()
    return Self.read(attacker, numbers, status)
  }

  private static func read(
    _ attacker: Attacker, _ numbers: [UInt32], _ status: ProcessStatus?
  ) -> [UInt32: Answer] {
    var found: [UInt32: Answer] = [:]
    for line in attacker.words {
      let fields = line.split(separator: " ")
      guard fields.count == 3, fields[0] == "call", let number = UInt32(fields[1]),
        let result = Int(fields[2])
      else { continue }
      found[number] = .result(result)
    }
    // Of one call alone it can be said what the host was told, and how it ended.
    guard numbers.count == 1, let number = numbers.first else { return found }
    if let violation = attacker.violations.first {
      if violation.isHopeless {
        found[number] = .toldAndKilled
      } else if case .result(let result)? = found[number] {
        found[number] = .told(result)
      }
    } else if found[number] == nil {
      found[number] = status.map { .ended($0) } ?? .waits
    }
    return found
  }
}
