import ClassicBPF

/// Says which inputs of one call a set holds, in words.
enum ConditionText {
  /// The set's parts, each a conjunction; nil when there are more than `limit`.
  ///
  /// - Parameter set: inputs of one call of one architecture.
  static func parts(of set: InputSet, in sets: InputSets, limit: Int) -> [String]? {
    let cubes = sets.cubes(of: set, limit: limit + 1)
    if cubes.count > limit { return nil }
    return cubes.map { conjunction($0.masks, $0.values) }
  }

  private static func conjunction(_ masks: SIMD16<UInt32>, _ values: SIMD16<UInt32>) -> String {
    var parts: [String] = []
    for index in 0..<6 {
      let word = SeccompData.argumentsOffset / 4 + 2 * index
      let mask = UInt64(masks[word]) | UInt64(masks[word + 1]) << 32
      let value = UInt64(values[word]) | UInt64(values[word + 1]) << 32
      if mask == .max {
        parts.append("arg\(index) == \(hexadecimal(value))")
      } else if mask != 0 {
        parts.append("(arg\(index) AND \(hexadecimal(mask))) == \(hexadecimal(value))")
      }
    }
    let pointer = UInt64(masks[2]) | UInt64(masks[3]) << 32
    if pointer != 0 { parts.append("the call is made from certain addresses") }
    return parts.isEmpty ? "always" : parts.joined(separator: " and ")
  }
}

/// `value` in lower-case hexadecimal with its prefix.
func hexadecimal(_ value: some BinaryInteger) -> String { "0x" + String(value, radix: 16) }
