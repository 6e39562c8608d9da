import Glibc
import LinuxSystem
import SandboxPolicy
import TestSupport
import Testing

@testable import PolicyAudit

private let canRun: Bool = {
  let call = CallTrial(filters: [], number: 39, arguments: [])
  return (try? call.run()) != nil
}()

/// The table of argument widths against the running kernel: bits that it is said not to read must
/// not matter.
@Suite(.enabled(if: canRun && SeccompArchitecture.native == .x8664)) struct ArgumentKindTests {
  /// What came out for one argument of one call.
  enum Finding: Equatable {
    /// Its lower half matters and its upper half does not: the kernel reads 32 bits.
    case word
    /// Its upper half matters.
    case wide
    /// Nothing that was tried mattered, since the kernel refuses for another reason first.
    case silent
  }

  /// Arguments with which the call gets further than with zeros.
  static let starts: [String: [UInt64]] = [
    "socket": [2, 1, 0], "dup3": [1, 1, 0], "pidfd_open": [1, 0], "prctl": [3],
    "seccomp": [2, 0, 0], "close_range": [5, 6, 0], "waitid": [0, 0, 0, 4],
    "setpriority": [0, 0, 5],
  ]

  /// Bits that are in no flag, request or number.
  static let high: UInt64 = 0x5a5a_5a5a << 32

  static func outcome(_ number: UInt32, _ arguments: [UInt64]) throws -> CallTrial.Outcome {
    try CallTrial(filters: [], number: Int64(number), arguments: arguments, patience: 200).run()
  }

  static func finding(
    _ number: UInt32, _ start: [UInt64], _ base: CallTrial.Outcome, _ index: Int
  ) throws -> Finding {
    var wide = start
    wide[index] |= high
    if try outcome(number, wide) != base { return .wide }
    for value in [UInt64(100), 1, 0x1000_0000, 0x7fff_ffff] {
      var other = start
      other[index] = value
      if try outcome(number, other) != base { return .word }
    }
    return .silent
  }

  /// Where the table would let a hole through if it were wrong: each of these is to be seen.
  static let essential: [(call: String, index: Int, finding: Finding)] = [
    ("socket", 0, .word), ("socket", 1, .word), ("socket", 2, .word), ("prctl", 0, .word),
    ("kill", 0, .word), ("kill", 1, .word), ("dup3", 0, .word), ("memfd_create", 1, .word),
    ("pipe2", 1, .word), ("timer_create", 0, .word), ("seccomp", 0, .word),
    ("pidfd_open", 0, .word), ("pidfd_open", 1, .word), ("close_range", 2, .word),
    ("unshare", 0, .wide),
  ]

  @Test("the kernel reads the arguments that holes are made of as the table says")
  func essentials() throws {
    for entry in Self.essential {
      let number = try #require(Subjects.space.table.number(of: entry.call, on: .x8664))
      let start = Self.padded(Self.starts[entry.call])
      let base = try Self.outcome(number, start)
      let finding = try Self.finding(number, start, base, entry.index)
      #expect(finding == entry.finding, "\(entry.call), argument \(entry.index): from \(base)")
      let kind = ArgumentKind.of(entry.call, argument: entry.index)
      #expect((kind == .word) == (entry.finding == .word), "\(entry.call) \(entry.index)")
    }
  }

  @Test("no argument that the table calls an int has bits beyond the 32nd that matter")
  func table() throws {
    let isFull = getenv("KEYHOST_FULL") != nil
    var seen = 0
    for (position, call) in ArgumentKind.knownCalls.enumerated() {
      // All of them take a while: a sixth each time, all with KEYHOST_FULL.
      guard isFull || position % 6 == 1 else { continue }
      guard let number = Subjects.space.table.number(of: call, on: .x8664) else { continue }
      let start = Self.padded(Self.starts[call])
      let base = try Self.outcome(number, start)
      for index in 0..<6 {
        guard ArgumentKind.of(call, argument: index) == .word else { continue }
        switch try Self.finding(number, start, base, index) {
        case .word: seen += 1
        case .wide: Issue.record("\(call), argument \(index) is no int: \(base) from \(start)")
        case .silent: continue
        }
      }
    }
    #expect(seen > (isFull ? 40 : 4), "\(seen)")
  }

  static func padded(_ arguments: [UInt64]?) -> [UInt64] {
    Array(((arguments ?? []) + [0, 0, 0, 0, 0, 0]).prefix(6))
  }
}
