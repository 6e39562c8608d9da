/// One condition of a rule on one argument of the call, compared unsigned over 64 bits as the
/// filter sees it (the kernel may read fewer bits).
public struct ArgumentCondition: Sendable, Hashable {
  /// The comparisons of libseccomp (`enum scmp_compare`).
  public enum Test: Sendable, Hashable {
    case notEqual(UInt64)
    case less(UInt64)
    case lessOrEqual(UInt64)
    case equal(UInt64)
    case greaterOrEqual(UInt64)
    case greater(UInt64)
    /// Holds when `(argument AND mask) == (datum AND mask)`: libseccomp masks the datum too.
    case maskedEqual(mask: UInt64, UInt64)
  }

  /// Which argument, 0 to 5.
  public var index: Int
  public var test: Test

  public init(index: Int, test: Test) {
    self.index = index
    self.test = test
  }

  /// Whether the condition holds for the argument's value.
  public func holds(for argument: UInt64) -> Bool {
    switch test {
    case .notEqual(let datum): argument != datum
    case .less(let datum): argument < datum
    case .lessOrEqual(let datum): argument <= datum
    case .equal(let datum): argument == datum
    case .greaterOrEqual(let datum): argument >= datum
    case .greater(let datum): argument > datum
    case .maskedEqual(let mask, let datum): argument & mask == datum & mask
    }
  }

  /// The condition as an architecture with 32-bit arguments is filtered by it.
  public var lowerHalf: ArgumentCondition {
    func low(_ value: UInt64) -> UInt64 { value & 0xffff_ffff }
    let half: Test =
      switch test {
      case .notEqual(let datum): .notEqual(low(datum))
      case .less(let datum): .less(low(datum))
      case .lessOrEqual(let datum): .lessOrEqual(low(datum))
      case .equal(let datum): .equal(low(datum))
      case .greaterOrEqual(let datum): .greaterOrEqual(low(datum))
      case .greater(let datum): .greater(low(datum))
      case .maskedEqual(let mask, let datum): .maskedEqual(mask: low(mask), low(datum))
      }
    return ArgumentCondition(index: index, test: half)
  }
}

extension ArgumentCondition: CustomStringConvertible {
  /// With the numbers in place: `(arg1 AND 0xffffffff) == 0x5412`.
  public var description: String {
    let name = "arg\(index)"
    return switch test {
    case .notEqual(let datum): "\(name) != \(hexadecimal(datum))"
    case .less(let datum): "\(name) < \(hexadecimal(datum))"
    case .lessOrEqual(let datum): "\(name) <= \(hexadecimal(datum))"
    case .equal(let datum): "\(name) == \(hexadecimal(datum))"
    case .greaterOrEqual(let datum): "\(name) >= \(hexadecimal(datum))"
    case .greater(let datum): "\(name) > \(hexadecimal(datum))"
    case .maskedEqual(let mask, let datum):
      "(\(name) AND \(hexadecimal(mask))) == \(hexadecimal(datum))"
    }
  }
}

/// `value` in lower-case hexadecimal with its prefix.
func hexadecimal(_ value: some BinaryInteger) -> String { "0x" + String(value, radix: 16) }
