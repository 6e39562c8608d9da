import KeyboardHost

/// Events of one kind, equal ones counted together.
public struct Tally: Sendable, Equatable {
  /// Events that have everything in common.
  public struct Entry: Sendable, Equatable {
    /// One text a column of the kind; empty where the event does not say.
    public let cells: [String]
    /// How many there were, at least 1.
    public let count: Int
    /// When the last of them was.
    public let last: AuditTime
  }

  private struct Sum: Sendable, Equatable {
    var count: Int
    var last: AuditTime
  }
  private var sums: [[String]: Sum] = [:]

  public init() {}

  public var isEmpty: Bool { sums.isEmpty }

  /// How many events in all.
  public var total: Int { sums.values.reduce(0) { $0.addingClamped($1.count) } }

  /// The most frequent first; of equally frequent ones in the order of their texts.
  public var entries: [Entry] {
    sums.map { Entry(cells: $0.key, count: $0.value.count, last: $0.value.last) }.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.cells.lexicographicallyPrecedes($1.cells)
    }
  }

  mutating func add(_ cells: [String], count: Int, at time: AuditTime) {
    var sum = sums[cells] ?? Sum(count: 0, last: time)
    sum.count = sum.count.addingClamped(count)
    sum.last = max(sum.last, time)
    sums[cells] = sum
  }
}

extension Int {
  /// A log can claim any count: the sum stays at the largest number instead of running over.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
