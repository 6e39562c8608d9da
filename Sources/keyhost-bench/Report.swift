import StrictJSON

/// The rows as a table for people or as one JSON document.
struct Report {
  var rows: [Row] = []
  /// What could not be measured here, and why.
  var notes: [String] = []

  var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("rows")
    writer.beginArray()
    for row in rows {
      writer.beginObject()
      writer.member("name", row.name)
      writer.member("ratio", Self.rounded(row.ratio))
      writer.key("goal")
      if let goal = row.goal { writer.value(goal) } else { writer.null() }
      writer.key("met")
      if let isMet = row.isMet { writer.value(isMet) } else { writer.null() }
      writer.member("unit", row.unit)
      Self.write(row.measured, as: "measured", into: &writer)
      if let comparison = row.comparison {
        writer.member("comparedWith", comparison.name)
        Self.write(comparison.summary, as: "compared", into: &writer)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.key("notes")
    writer.beginArray()
    for note in notes { writer.value(note) }
    writer.endArray()
    writer.endObject()
    return writer.string
  }

  var table: String {
    var lines = [
      Self.columns(["row", "ratio", "goal", "met", "median (10%-90%)", "compared with"])
    ]
    for row in rows {
      let met = row.isMet.map { $0 ? "yes" : "no" } ?? "-"
      let compared =
        row.comparison.map { "\($0.name) \(Self.text($0.summary)) \(row.unit)" } ?? "-"
      lines.append(
        Self.columns([
          row.name, Self.text(row.ratio), row.goal.map { Self.text($0) } ?? "-", met,
          "\(Self.text(row.measured)) \(row.unit)", compared,
        ]))
    }
    return (lines + notes.map { "note: \($0)" }).joined(separator: "\n")
  }

  private static func write(_ summary: Summary, as key: String, into writer: inout JSONWriter) {
    writer.key(key)
    writer.beginObject()
    writer.member("median", rounded(summary.median))
    writer.member("low", rounded(summary.low))
    writer.member("high", rounded(summary.high))
    writer.member("count", summary.count)
    writer.endObject()
  }

  private static func columns(_ texts: [String]) -> String {
    var line = ""
    for (text, width) in zip(texts, [26, 7, 6, 5, 30, 0]) {
      line += text + String(repeating: " ", count: max(1, width - text.count))
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  private static func text(_ summary: Summary) -> String {
    "\(text(summary.median)) (\(text(summary.low))-\(text(summary.high)))"
  }

  private static func text(_ value: Double) -> String { "\(rounded(value))" }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
