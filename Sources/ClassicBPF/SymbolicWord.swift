/// A 32-bit word computed from the input: for each bit the inputs in which it is set.
struct SymbolicWord: Hashable {
  /// From the least significant bit.
  var bits: [InputSet]

  init(_ constant: UInt32) {
    bits = (0..<32).map { constant >> UInt32($0) & 1 == 1 ? .all : .none }
  }

  init(bits: [InputSet]) {
    self.bits = bits
  }

  /// The value, when it is the same for every input.
  var constant: UInt32? {
    var value: UInt32 = 0
    for (index, bit) in bits.enumerated() {
      if bit == .all { value |= 1 << UInt32(index) } else if bit != .none { return nil }
    }
    return value
  }
}

/// The kernel's arithmetic on symbolic words.
extension InputSets {
  func symbolicWord(_ word: Int) -> SymbolicWord {
    SymbolicWord(bits: (0..<32).map { bit($0, ofWord: word) })
  }

  /// `a` where the input is in `condition`, else `b`.
  func choice(_ condition: InputSet, _ a: SymbolicWord, _ b: SymbolicWord) -> SymbolicWord {
    a == b
      ? a : SymbolicWord(bits: (0..<32).map { choice(condition, a.bits[$0], b.bits[$0]) })
  }

  /// The result of an instruction. Division by zero gives all ones; the caller has taken those
  /// inputs out.
  func apply(
    _ operation: BPFOperation.Arithmetic, _ a: SymbolicWord, _ b: SymbolicWord
  ) -> SymbolicWord {
    switch operation {
    case .and: bitwise(a, b, intersection)
    case .or: bitwise(a, b, union)
    case .exclusiveOr: bitwise(a, b, difference)
    case .add: sum(a, b, carry: .none).word
    case .subtract: minus(a, b).word
    case .negate: minus(SymbolicWord(0), a).word
    case .multiply: product(a, b)
    case .divide: divided(a, by: b).quotient
    case .modulo: divided(a, by: b).remainder
    case .shiftLeft:
      shifted(a, by: b) { bits, distance in
        [InputSet](repeating: .none, count: distance) + bits.dropLast(distance)
      }
    case .shiftRight:
      shifted(a, by: b) { bits, distance in
        bits.dropFirst(distance) + [InputSet](repeating: .none, count: distance)
      }
    }
  }

  /// The inputs for which a test holds.
  func holds(
    _ comparison: BPFOperation.Comparison, _ a: SymbolicWord, _ b: SymbolicWord
  ) -> InputSet {
    switch comparison {
    case .equal:
      (0..<32).reduce(InputSet.all) {
        intersection($0, complement(difference(a.bits[$1], b.bits[$1])))
      }
    case .greater: less(b, a)
    case .greaterOrEqual: complement(less(a, b))
    case .anyBitSet:
      (0..<32).reduce(InputSet.none) { union($0, intersection(a.bits[$1], b.bits[$1])) }
    }
  }

  /// From the least significant bit: the more significant one decides where they differ.
  private func less(_ a: SymbolicWord, _ b: SymbolicWord) -> InputSet {
    (0..<32).reduce(InputSet.none) { result, index in
      choice(difference(a.bits[index], b.bits[index]), b.bits[index], result)
    }
  }

  private func bitwise(
    _ a: SymbolicWord, _ b: SymbolicWord, _ operation: (InputSet, InputSet) -> InputSet
  ) -> SymbolicWord {
    SymbolicWord(bits: (0..<32).map { operation(a.bits[$0], b.bits[$0]) })
  }

  private func sum(
    _ a: SymbolicWord, _ b: SymbolicWord, carry: InputSet
  ) -> (word: SymbolicWord, carry: InputSet) {
    var carry = carry
    var result = SymbolicWord(0)
    for index in 0..<32 {
      let either = difference(a.bits[index], b.bits[index])
      result.bits[index] = difference(either, carry)
      carry = choice(either, carry, a.bits[index])
    }
    return (result, carry)
  }

  /// `a - b`, and the inputs for which it does not go below zero.
  private func minus(
    _ a: SymbolicWord, _ b: SymbolicWord
  ) -> (word: SymbolicWord, fits: InputSet) {
    let inverted = SymbolicWord(bits: b.bits.map(complement))
    let (word, carry) = sum(a, inverted, carry: .all)
    return (word, carry)
  }

  private func product(_ a: SymbolicWord, _ b: SymbolicWord) -> SymbolicWord {
    // The constant, if there is one, chooses what is added.
    let (value, factor) = a.constant == nil ? (a, b) : (b, a)
    var result = SymbolicWord(0)
    for index in 0..<32 where factor.bits[index] != .none {
      let moved = [InputSet](repeating: .none, count: index) + value.bits.dropLast(index)
      let added = sum(result, SymbolicWord(bits: moved), carry: .none).word
      result = choice(factor.bits[index], added, result)
    }
    return result
  }

  /// Long division, a bit at a time.
  private func divided(
    _ a: SymbolicWord, by b: SymbolicWord
  ) -> (quotient: SymbolicWord, remainder: SymbolicWord) {
    var quotient = SymbolicWord(0)
    var rest = SymbolicWord(0)
    for index in stride(from: 31, through: 0, by: -1) {
      // The bit that moves out is kept: the rest may need 33 bits for a moment.
      let overflow = rest.bits[31]
      rest = SymbolicWord(bits: [a.bits[index]] + rest.bits.dropLast())
      let (reduced, fits) = minus(rest, b)
      let subtracts = union(overflow, fits)
      quotient.bits[index] = subtracts
      rest = choice(subtracts, reduced, rest)
    }
    return (quotient, rest)
  }

  private func shifted(
    _ a: SymbolicWord, by b: SymbolicWord, _ move: ([InputSet], Int) -> [InputSet]
  ) -> SymbolicWord {
    var result = a
    for stage in 0..<5 where b.bits[stage] != .none {
      result = choice(b.bits[stage], SymbolicWord(bits: move(result.bits, 1 << stage)), result)
    }
    return result
  }
}
