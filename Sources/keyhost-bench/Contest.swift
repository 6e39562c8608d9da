import LinuxSystem

/// Things measured side by side: one sample of each in turn, so that whatever else the machine
/// does falls on all of them alike.
struct Contest {
  /// Thrown away, so that caches, pages and branch predictors are warm for all.
  var warmUp: Int
  /// Samples kept of each.
  var rounds: Int

  /// - Returns: a summary for each contender, in their order.
  func run(_ contenders: [() throws -> Double]) throws -> [Summary] {
    var samples = [[Double]](repeating: [], count: contenders.count)
    for round in 0..<(warmUp + rounds) {
      for (index, contender) in contenders.enumerated() {
        let sample = try contender()
        if round >= warmUp { samples[index].append(sample) }
      }
    }
    return samples.map { Summary($0) }
  }
}

/// Where the contenders run.
enum Placement: String, CaseIterable {
  /// All on one processor: the cost of the work, without that of waking another processor.
  case pinned
  /// Wherever the kernel puts them.
  case free

  /// Runs the work, and everything it starts, in this placement.
  func callAsFunction<Result>(_ work: () throws -> Result) throws -> Result {
    guard self == .pinned else { return try work() }
    let all: ProcessorAffinity
    do {
      all = try ProcessorAffinity.current()
      try all.firstOnly.apply()
    } catch {
      throw BenchError("the processor cannot be chosen: \(error)")
    }
    defer { try? all.apply() }
    return try work()
  }
}
