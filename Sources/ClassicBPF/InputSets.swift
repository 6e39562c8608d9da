/// Sets of filter inputs, exact over all 512 bits of `struct seccomp_data`, as reduced ordered
/// binary decision diagrams (Bryant 1986): every set has one form, so comparing two is comparing
/// two numbers, and an element of a non-empty one is found by walking down.
///
/// The order of the bits is that in which filters look at them: architecture, number, arguments,
/// instruction pointer, from the most significant bit down, which keeps comparisons small.
public final class InputSets {
  private struct Node: Hashable {
    var level: Int32
    var low: Int32
    var high: Int32
  }

  private struct CacheEntry {
    var first: Int32 = -1
    var second: Int32 = -1
    var third: Int32 = -1
    var result: Int32 = 0
  }

  /// The words of `SeccompData` in the order of the diagram.
  private static let wordOrder = [1, 0, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 3, 2]
  private static let position = wordOrder.indices.map { wordOrder.firstIndex(of: $0)! }
  private static let terminalLevel = Int32(512)
  /// Of the cache: at first, and at most. With more nodes than it has room for, what was worked out
  /// would be worked out again and again.
  private static let cacheBits = 15...20

  /// What an ordinary question may cost, in steps; see ``budget``. Some seconds on a machine of
  /// today, and twenty times and more what the largest policies take that are in use.
  public static let ordinaryBudget = 20_000_000

  /// What was used up.
  public enum Exhaustion: Sendable, Hashable {
    /// The steps of ``InputSets/budget``.
    case budget
    /// The nodes of ``InputSets/limit``.
    case nodes
  }

  /// The most nodes: a bound of memory.
  public let limit: Int
  /// The most steps: a bound of time that is the same on every machine and in every run. A step is
  /// one visit to a place of the diagrams that are combined.
  public let budget: Int
  /// The steps that were made.
  public private(set) var steps = 0
  /// What the sets took more of than they may. Everything computed since is meaningless.
  public private(set) var exhaustion: Exhaustion?
  /// Whether anything was used up: then results are worthless.
  public var isExhausted: Bool { exhaustion != nil }

  private var nodes: ContiguousArray<Node>
  /// Open addressing: indices into `nodes`, or -1.
  private var table: ContiguousArray<Int32>
  private var cache: ContiguousArray<CacheEntry>

  /// - Parameters:
  ///   - limit: the most nodes, about 24 bytes each.
  ///   - budget: the most steps.
  public init(limit: Int = 4_000_000, budget: Int = ordinaryBudget) {
    self.limit = limit
    self.budget = budget
    nodes = [
      Node(level: Self.terminalLevel, low: 0, high: 0),
      Node(level: Self.terminalLevel, low: 1, high: 1),
    ]
    table = ContiguousArray(repeating: -1, count: 1 << 14)
    cache = ContiguousArray(repeating: CacheEntry(), count: 1 << Self.cacheBits.lowerBound)
  }

  // MARK: Sets

  /// The inputs in which a bit is set; `word` counts the words of `SeccompData`, `bit` 0 is the
  /// least significant one.
  public func bit(_ bit: Int, ofWord word: Int) -> InputSet {
    InputSet(node: make(level(word, bit), 0, 1))
  }

  /// The inputs in which `word AND mask == value`.
  public func word(_ word: Int, mask: UInt32 = .max, equals value: UInt32) -> InputSet {
    if value & ~mask != 0 { return .none }
    var node: Int32 = 1
    for bit in 0..<32 where mask >> UInt32(bit) & 1 == 1 {
      let isSet = value >> UInt32(bit) & 1 == 1
      node = isSet ? make(level(word, bit), 0, node) : make(level(word, bit), node, 0)
    }
    return InputSet(node: node)
  }

  /// The inputs that are in the set of the segment in which a word's value lies. The segments must
  /// cover all values in order, and their sets must not look at earlier words of the diagram's
  /// order (nor at this one).
  public func switching(
    on word: Int, _ segments: [(upTo: UInt32, set: InputSet)]
  ) -> InputSet {
    func build(_ bit: Int, _ base: UInt32, _ range: Range<Int>) -> Int32 {
      if range.count == 1 { return segments[range.lowerBound].set.node }
      let middle = base | 1 << UInt32(bit)
      // The segment that holds the last value of the lower half belongs to both.
      let split = range.first { segments[$0].upTo >= middle - 1 } ?? range.upperBound - 1
      let upper = segments[split].upTo == middle - 1 ? split + 1 : split
      return make(
        level(word, bit), build(bit - 1, base, range.lowerBound..<split + 1),
        build(bit - 1, middle, upper..<range.upperBound))
    }
    return InputSet(node: build(31, 0, 0..<segments.count))
  }

  public func intersection(_ a: InputSet, _ b: InputSet) -> InputSet {
    InputSet(node: choose(a.node, b.node, 0))
  }

  public func union(_ a: InputSet, _ b: InputSet) -> InputSet {
    InputSet(node: choose(a.node, 1, b.node))
  }

  public func complement(_ a: InputSet) -> InputSet {
    InputSet(node: choose(a.node, 0, 1))
  }

  /// The inputs of `a` that are not in `b`.
  public func subtracting(_ b: InputSet, from a: InputSet) -> InputSet {
    InputSet(node: choose(b.node, 0, a.node))
  }

  /// The inputs that are in just one of the sets.
  public func difference(_ a: InputSet, _ b: InputSet) -> InputSet {
    InputSet(node: choose(a.node, complement(b).node, b.node))
  }

  /// The inputs of `a` that are in `b`, and the others that are in `c`.
  public func choice(_ a: InputSet, _ b: InputSet, _ c: InputSet) -> InputSet {
    InputSet(node: choose(a.node, b.node, c.node))
  }

  /// The inputs that are in the set with some value of a word: the set without what it says about
  /// that word.
  public func forgetting(word: Int, in set: InputSet) -> InputSet {
    let levels = level(word, 31)...level(word, 0)
    var known: [Int32: Int32] = [:]
    func walk(_ node: Int32) -> Int32 {
      if node < 2 { return node }
      if let result = known[node] { return result }
      let entry = nodes[Int(node)]
      // Below the word, nothing of it is left.
      if entry.level > levels.upperBound { return node }
      let low = walk(entry.low)
      let high = walk(entry.high)
      let result =
        levels.contains(entry.level) ? choose(low, 1, high) : make(entry.level, low, high)
      known[node] = result
      return result
    }
    return InputSet(node: walk(set.node))
  }

  /// An element, with every bit 0 that may be; nil when there is none.
  public func element(of set: InputSet) -> SeccompData? {
    if set.isEmpty { return nil }
    var words = SIMD16<UInt32>()
    var node = set.node
    while node > 1 {
      let entry = nodes[Int(node)]
      if entry.low != 0 {
        node = entry.low
      } else {
        let word = Self.wordOrder[Int(entry.level) / 32]
        words[word] |= 1 << UInt32(31 - Int(entry.level) % 32)
        node = entry.high
      }
    }
    return SeccompData(words: words)
  }

  /// Whether an input is in the set.
  public func contains(_ input: SeccompData, in set: InputSet) -> Bool {
    var node = set.node
    while node > 1 {
      let entry = nodes[Int(node)]
      let word = input.words[Self.wordOrder[Int(entry.level) / 32]]
      node = word >> UInt32(31 - Int(entry.level) % 32) & 1 == 1 ? entry.high : entry.low
    }
    return node == 1
  }

  /// The set as disjoint conjunctions of fixed bits, in order; at most `limit` of them.
  ///
  /// - Returns: for each, the masks and values of the sixteen words.
  public func cubes(
    of set: InputSet, limit: Int
  ) -> [(masks: SIMD16<UInt32>, values: SIMD16<UInt32>)] {
    var result: [(masks: SIMD16<UInt32>, values: SIMD16<UInt32>)] = []
    func walk(_ node: Int32, _ masks: SIMD16<UInt32>, _ values: SIMD16<UInt32>) {
      if node == 0 || result.count >= limit { return }
      if node == 1 {
        result.append((masks, values))
        return
      }
      let entry = nodes[Int(node)]
      let word = Self.wordOrder[Int(entry.level) / 32]
      let bit = UInt32(1) << UInt32(31 - Int(entry.level) % 32)
      var masks = masks
      var values = values
      masks[word] |= bit
      walk(entry.low, masks, values)
      values[word] |= bit
      walk(entry.high, masks, values)
    }
    walk(set.node, SIMD16(), SIMD16())
    return result
  }

  // MARK: Diagrams

  private func level(_ word: Int, _ bit: Int) -> Int32 {
    Int32(Self.position[word] * 32 + 31 - bit)
  }

  /// The one node with these parts.
  private func make(_ level: Int32, _ low: Int32, _ high: Int32) -> Int32 {
    if low == high { return low }
    let mask = table.count - 1
    var slot = hash(level, low, high) & mask
    while table[slot] >= 0 {
      let node = nodes[Int(table[slot])]
      if node.level == level, node.low == low, node.high == high { return table[slot] }
      slot = (slot + 1) & mask
    }
    if nodes.count >= limit {
      exhaustion = exhaustion ?? .nodes
      return 0
    }
    let index = Int32(nodes.count)
    nodes.append(Node(level: level, low: low, high: high))
    table[slot] = index
    if nodes.count * 2 > table.count { growTable() }
    return index
  }

  private func growTable() {
    table = ContiguousArray(repeating: -1, count: table.count * 4)
    let mask = table.count - 1
    for index in 2..<nodes.count {
      let node = nodes[index]
      var slot = hash(node.level, node.low, node.high) & mask
      while table[slot] >= 0 { slot = (slot + 1) & mask }
      table[slot] = Int32(index)
    }
    growCache()
  }

  private func growCache() {
    let wanted = min(table.count, 1 << Self.cacheBits.upperBound)
    guard wanted > cache.count else { return }
    let old = cache
    cache = ContiguousArray(repeating: CacheEntry(), count: wanted)
    for entry in old where entry.first >= 0 {
      cache[hash(entry.first, entry.second, entry.third) & (wanted - 1)] = entry
    }
  }

  /// If-then-else, which every operation on sets is a case of.
  private func choose(_ condition: Int32, _ then: Int32, _ otherwise: Int32) -> Int32 {
    if condition == 1 || then == otherwise { return then }
    if condition == 0 { return otherwise }
    if then == 1, otherwise == 0 { return condition }
    if isExhausted { return 0 }
    steps += 1
    if steps > budget {
      exhaustion = .budget
      return 0
    }
    let key = hash(condition, then, otherwise)
    let entry = cache[key & (cache.count - 1)]
    if entry.first == condition, entry.second == then, entry.third == otherwise {
      return entry.result
    }
    let a = nodes[Int(condition)]
    let b = nodes[Int(then)]
    let c = nodes[Int(otherwise)]
    let top = min(a.level, b.level, c.level)
    let low = choose(
      a.level == top ? a.low : condition, b.level == top ? b.low : then,
      c.level == top ? c.low : otherwise)
    let high = choose(
      a.level == top ? a.high : condition, b.level == top ? b.high : then,
      c.level == top ? c.high : otherwise)
    let result = make(top, low, high)
    // The cache may have grown meanwhile. What ran out on the way is no result.
    if !isExhausted {
      cache[key & (cache.count - 1)] = CacheEntry(
        first: condition, second: then, third: otherwise, result: result)
    }
    return result
  }

  private func hash(_ a: Int32, _ b: Int32, _ c: Int32) -> Int {
    var h = UInt64(UInt32(bitPattern: a)) &* 0x9e37_79b9_7f4a_7c15
    h ^= UInt64(UInt32(bitPattern: b)) &* 0xc2b2_ae3d_27d4_eb4f
    h ^= UInt64(UInt32(bitPattern: c)) &* 0x1656_67b1_9e37_79f9
    h ^= h >> 29
    h = h &* 0xbf58_476d_1ce4_e5b9
    return Int(truncatingIfNeeded: (h ^ (h >> 32)) & 0x7fff_ffff_ffff_ffff)
  }
}
