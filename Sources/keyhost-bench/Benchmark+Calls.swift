extension Benchmark {
  /// An allowed call under the filter of every keyboard against the same without one, in
  /// nanoseconds.
  func filteredCalls() throws -> [Row] {
    try FilteredCalls.Kind.allCases.map { kind in
      let processes = try ["--filtered", "--unfiltered"].map {
        try PlainProcess(program, ["--calls", kind.rawValue, $0])
      }
      defer { for process in processes { process.end() } }
      let contest = isQuick ? Contest(warmUp: 1, rounds: 5) : Contest(warmUp: 5, rounds: 40)
      let placement = Placement.pinned
      let summaries = try placement {
        try contest.run(
          processes.map { process in
            {
              try Clock.measure { _ = try process.exchange([0x0A]) } * 1_000
                / Double(FilteredCalls.count)
            }
          })
      }
      return Row(
        name: "filtered-call/\(kind.name)", ratio: summaries[0].median / summaries[1].median,
        goal: 1.3, unit: "ns", measured: summaries[0],
        comparison: ("without a filter", summaries[1]))
    }
  }
}
