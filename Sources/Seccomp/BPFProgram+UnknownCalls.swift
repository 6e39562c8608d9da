import ClassicBPF
import SandboxPolicy

extension BPFProgram {
  /// The program with a few instructions in front that answer numbers of which the policy knows no
  /// call.
  ///
  /// libseccomp has one default action for a known call whose conditions fail and for a number
  /// nobody has heard of; container runtimes put instructions in front for the same reason.
  func answering(
    unknownCallsOf policy: ResolvedSeccompPolicy, with action: SeccompAction
  ) throws(SeccompError) -> BPFProgram {
    guard let architecture = policy.architectures.first, policy.architectures.count == 1,
      architecture != .x32
    else {
      throw SeccompError("an answer to unknown calls works for policies of one architecture only")
    }
    let table = LibseccompTable()
    let gaps = Self.gaps(
      between: policy.rules.compactMap { table.number(of: $0.systemCall, on: architecture) })
    // A conditional jump reaches 255 instructions.
    guard gaps.count <= 100 else {
      throw SeccompError(
        "the policy leaves \(gaps.count) ranges of numbers unknown; name the calls between them")
    }
    var front: [BPFInstruction] = [
      .load(SeccompData.architectureOffset),
      .jump(.equal, architecture.auditValue, ifTrue: 0, ifFalse: 2 * gaps.count + 2),
      .load(SeccompData.numberOffset),
    ]
    for (index, gap) in gaps.enumerated() {
      let rest = 2 * (gaps.count - index)
      let isLast = index == gaps.count - 1
      front.append(.jump(.greaterOrEqual, gap.lowerBound, ifTrue: 0, ifFalse: rest))
      front.append(
        .jump(.greater, gap.upperBound, ifTrue: isLast ? 1 : 0, ifFalse: rest - 2))
    }
    front.append(BPFInstruction(code: 0x06, k: action.returnValue))
    let program = BPFProgram(front + instructions)
    do throws(BPFError) { try program.validate() } catch {
      throw SeccompError("the program became one that the kernel would refuse: \(error)")
    }
    return program
  }

  /// The ranges of numbers below the x32 bit that are in no table of known ones. The last one is
  /// never empty.
  private static func gaps(between known: [UInt32]) -> [ClosedRange<UInt32>] {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for number in Set(known).sorted() where number < SeccompArchitecture.x32Bit - 1 {
      if number > next { gaps.append(next...number - 1) }
      next = number + 1
    }
    gaps.append(next...SeccompArchitecture.x32Bit - 1)
    return gaps
  }
}

extension BPFInstruction {
  fileprivate static func load(_ offset: Int) -> BPFInstruction {
    BPFInstruction(code: 0x20, k: UInt32(offset))
  }

  fileprivate static func jump(
    _ comparison: BPFOperation.Comparison, _ k: UInt32, ifTrue: Int, ifFalse: Int
  ) -> BPFInstruction {
    BPFInstruction(
      code: 0x05 | comparison.rawValue, jumpTrue: UInt8(ifTrue), jumpFalse: UInt8(ifFalse), k: k)
  }
}
