import ClassicBPF
import SandboxPolicy

/// Proves claims about a filter for every possible input, or finds a call that breaks them.
public struct ClaimProver {
  /// What came out.
  public enum Outcome: Sendable, Hashable {
    /// No input that the claim is about is allowed. The named calls are put to a supervisor or a
    /// tracer, so for them the claim is as good as those.
    case proven(decidedOutside: [String])
    /// These calls break it, one for each call and architecture; those that need no particular
    /// kernel come first.
    case broken([Witness])
  }

  private let meaning: FilterMeaning
  private let space: CallSpace
  private let sets: InputSets

  /// - Parameter budget: the most steps for the filter and all claims; see `InputSets`.
  /// - Throws: when the filter cannot be followed for every input.
  public init(
    about subject: FilterSubject, space: CallSpace, budget: Int = InputSets.ordinaryBudget
  ) throws(AuditError) {
    sets = InputSets(budget: budget)
    meaning = try FilterMeaning(of: subject, in: sets)
    self.space = space
  }

  /// - Throws: when the claim names a call that nobody knows.
  public func prove(_ claim: Claim) throws(AuditError) -> Outcome {
    for name in claim.never.flatMap(\.calls) where !space.table.isKnown(name) {
      throw AuditError(
        "claim \(claim.name): no system call is named \(printable(name)), so nothing can be said of it"
      )
    }
    let permitted = meaning.inputs { $0.permits }
    let outside = meaning.inputs {
      switch $0 {
      case .notify, .trace: true
      default: false
      }
    }
    var witnesses: [Witness] = []
    var decidedOutside: Set<String> = []
    for architecture in space.architectures {
      for pattern in claim.never {
        for (name, inputs) in calls(pattern, on: architecture) {
          let open = sets.intersection(inputs, permitted)
          if !open.isEmpty,
            let element = sets.element(of: UsualArguments.narrowed(open, name, in: sets))
          {
            witnesses.append(witness(element))
          }
          if !sets.intersection(inputs, outside).isEmpty { decidedOutside.insert(name) }
          if sets.isExhausted {
            let call = AuditError.call(name, 0, on: architecture)
            throw AuditError.exhausted(sets, "claim \(claim.name)", at: call)
          }
        }
      }
    }
    if claim.nativeOnly, let native = space.architectures.first {
      let foreign = sets.subtracting(
        space.inputs(of: native, in: sets), from: permitted)
      // A skipped call is none.
      let none = sets.word(SeccompData.numberOffset / 4, equals: SeccompArchitecture.skippedCall)
      if let element = sets.element(of: sets.subtracting(none, from: foreign)) {
        witnesses.append(witness(element))
      }
    }
    if sets.isExhausted {
      throw AuditError.exhausted(sets, "claim \(claim.name)", at: "calls of other architectures")
    }
    if !witnesses.isEmpty { return .broken(witnesses.uniqued()) }
    return .proven(decidedOutside: decidedOutside.sorted())
  }

  private func witness(_ element: SeccompData) -> Witness {
    // The answers together hold every input.
    let action = meaning.answers.ordered.first { sets.contains(element, in: $0.value) }?.key
    return Witness(element, action: action ?? .killProcess, space: space)
  }

  /// The inputs of a pattern on an architecture, by the name of the call that is made.
  private func calls(
    _ pattern: Claim.Pattern, on architecture: SeccompArchitecture
  ) -> [(name: String, inputs: InputSet)] {
    var result: [(name: String, inputs: InputSet)] = []
    for name in pattern.calls {
      if let number = space.table.number(of: name, on: architecture) {
        let call = space.inputs(of: number, on: architecture, in: sets)
        result.append((name, sets.intersection(call, arguments(pattern, on: architecture))))
      }
      if let inputs = multiplexed(name, on: architecture) {
        // The arguments lie behind a pointer: any of them may be meant.
        result.append(inputs)
      }
    }
    return result
  }

  private func arguments(
    _ pattern: Claim.Pattern, on architecture: SeccompArchitecture
  ) -> InputSet {
    pattern.conditions.reduce(InputSet.all) { result, condition in
      let low = PolicyMeaning.lowWord(ofArgument: condition.index)
      let any = condition.values.reduce(InputSet.none) { union, value in
        var match = sets.word(
          low, mask: UInt32(truncatingIfNeeded: condition.mask),
          equals: UInt32(truncatingIfNeeded: value))
        match = sets.intersection(
          match,
          sets.word(
            low + 1, mask: UInt32(truncatingIfNeeded: condition.mask >> 32),
            equals: UInt32(truncatingIfNeeded: value >> 32)))
        return sets.union(union, match)
      }
      var holds = condition.isNegated ? sets.complement(any) : any
      if architecture == .x86 || architecture == .arm {
        // 32-bit code cannot set the upper half.
        holds = sets.intersection(holds, sets.word(low + 1, equals: 0))
      }
      return sets.intersection(result, holds)
    }
  }

  /// The way through `socketcall` and `ipc` (`linux/net.h`, `linux/ipc.h`), where there is one.
  private func multiplexed(
    _ name: String, on architecture: SeccompArchitecture
  ) -> (name: String, inputs: InputSet)? {
    for (multiplexer, codes) in [("socketcall", Self.socketCodes), ("ipc", Self.ipcCodes)] {
      guard let code = codes[name],
        let number = space.table.number(of: multiplexer, on: architecture)
      else { continue }
      // ipc takes a version in the upper half of its first argument.
      let mask: UInt32 = multiplexer == "ipc" ? 0xffff : .max
      let inputs = sets.intersection(
        space.inputs(of: number, on: architecture, in: sets),
        sets.word(PolicyMeaning.lowWord(ofArgument: 0), mask: mask, equals: code))
      return (multiplexer, inputs)
    }
    return nil
  }

  private static let socketCodes: [String: UInt32] = [
    "socket": 1, "bind": 2, "connect": 3, "listen": 4, "accept": 5, "getsockname": 6,
    "getpeername": 7, "socketpair": 8, "send": 9, "recv": 10, "sendto": 11, "recvfrom": 12,
    "shutdown": 13, "setsockopt": 14, "getsockopt": 15, "sendmsg": 16, "recvmsg": 17,
    "accept4": 18, "recvmmsg": 19, "sendmmsg": 20,
  ]
  private static let ipcCodes: [String: UInt32] = [
    "semop": 1, "semget": 2, "semctl": 3, "semtimedop": 4, "msgsnd": 11, "msgrcv": 12,
    "msgget": 13, "msgctl": 14, "shmat": 21, "shmdt": 22, "shmget": 23, "shmctl": 24,
  ]
}

extension Array where Element: Hashable {
  /// The elements without those that were there before.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
