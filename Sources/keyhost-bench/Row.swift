/// One line of the report: what was measured, against what, and whether the goal is met.
struct Row {
  var name: String
  /// Measured over compared; for memory, measured over the goal's amount.
  var ratio: Double
  /// The highest ratio that is good enough; nil where the row is there to be known.
  var goal: Double?
  var unit: String
  var measured: Summary
  /// What it is compared with, by name; nil for memory.
  var comparison: (name: String, summary: Summary)?

  var isMet: Bool? { goal.map { ratio <= $0 } }
}
