import SandboxPolicy

extension ResolvedSeccompPolicy {
  /// More rules than this for one call's fallback mean that a policy should be written otherwise.
  private static let maximumExpansion = 1024

  /// The policy as plain rules: without those that say nothing, and with each fallback written as
  /// rules of its own, because libseccomp lets an unconditional rule beat all conditional ones.
  func rulesForLibseccomp() throws(SeccompError) -> [Rule] {
    // libseccomp refuses rules with the default action.
    var result = rules.filter { $0.action != defaultAction }
    for (systemCall, fallback) in fallbacks.sorted(by: { $0.key < $1.key })
    where fallback.action != defaultAction {
      let own = result.filter { $0.systemCall == systemCall }
      guard own.allSatisfy({ !$0.conditions.isEmpty }) else { continue }
      for cube in try complement(of: own, systemCall: systemCall) {
        result.append(
          Rule(
            systemCall: systemCall, conditions: cube.conditions, action: fallback.action,
            source: fallback.source))
      }
    }
    return result
  }

  /// Every argument that none of the rules covers, as disjoint masked comparisons.
  private func complement(of rules: [Rule], systemCall: String) throws(SeccompError) -> [BitCube] {
    var remaining = [BitCube()]
    for rule in rules {
      guard let cube = BitCube(rule.conditions) else {
        throw SeccompError(
          "\(rule.source): \(systemCall) has a fallback, so its conditions may only be "
            + "SCMP_CMP_EQ and SCMP_CMP_MASKED_EQ, one for each argument",
          systemCall: systemCall)
      }
      remaining = remaining.flatMap { $0.subtracting(cube) }
      guard remaining.count <= Self.maximumExpansion else {
        throw SeccompError(
          "\(rule.source): the fallback of \(systemCall) takes more than "
            + "\(Self.maximumExpansion) rules; use fewer or more regular conditions",
          systemCall: systemCall)
      }
    }
    return remaining
  }
}

/// A set of arguments given by fixed bits: where `masks` has a bit, the argument must have the
/// same one as `values`.
struct BitCube {
  var masks = [UInt64](repeating: 0, count: 6)
  var values = [UInt64](repeating: 0, count: 6)

  init() {}

  /// Nil when a condition is not a comparison of bits, or when one argument is compared twice.
  init?(_ conditions: [ArgumentCondition]) {
    for condition in conditions {
      guard masks[condition.index] == 0 else { return nil }
      switch condition.test {
      case .equal(let datum):
        masks[condition.index] = .max
        values[condition.index] = datum
      case .maskedEqual(let mask, let datum):
        masks[condition.index] = mask
        values[condition.index] = datum & mask
      default: return nil
      }
    }
  }

  /// The conditions of a rule that holds exactly for this set.
  var conditions: [ArgumentCondition] {
    (0..<6).filter { masks[$0] != 0 }.map { index in
      ArgumentCondition(
        index: index,
        test: masks[index] == .max
          ? .equal(values[index]) : .maskedEqual(mask: masks[index], values[index]))
    }
  }

  /// What is left without `other`, in disjoint pieces: one for each bit that `other` fixes and
  /// this set leaves open, with that bit flipped and those before it as in `other`.
  func subtracting(_ other: BitCube) -> [BitCube] {
    let isDisjoint = (0..<6).contains {
      (values[$0] ^ other.values[$0]) & masks[$0] & other.masks[$0] != 0
    }
    if isDisjoint { return [self] }
    var pieces: [BitCube] = []
    var rest = self
    for index in 0..<6 {
      var open = other.masks[index] & ~masks[index]
      while open != 0 {
        let bit = UInt64(1) << UInt64(63 - open.leadingZeroBitCount)
        open &= ~bit
        rest.masks[index] |= bit
        var piece = rest
        piece.values[index] |= ~other.values[index] & bit
        pieces.append(piece)
        rest.values[index] |= other.values[index] & bit
      }
    }
    return pieces
  }
}
