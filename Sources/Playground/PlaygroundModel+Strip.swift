/// The live strip: what keyboards tried, and apart from it what else happened, so that neither pushes
/// the other out.
extension PlaygroundModel {
  func drawStrip(from first: Int, to end: Int, _ canvas: inout Canvas) {
    let rows = end - first
    guard rows > 0 else { return }
    let isWide = canvas.size.columns >= Self.wideColumns
    let attempts = activities.filter { $0.outcome != nil }
    let news = activities.filter { $0.outcome == nil }
    let newsRows = min(news.count, rows >= 5 ? 2 : rows > 1 ? 1 : 0)
    let triedRows = rows - newsRows
    // One row of several says how it stands with all of them, since not all may be seen.
    let hasSum = attempts.isEmpty || triedRows > 2
    var tried = Self.lines(
      of: attempts, rows: triedRows - (hasSum ? 1 : 0), width: textWidth(canvas, isWide),
      most: rows >= 6 ? 2 : 1)
    if hasSum { tried.insert((Self.sum(of: attempts), .dim), at: 0) }
    for (offset, line) in tried.enumerated() {
      write(offset == 0 ? "Tried" : "", line, first + offset, &canvas)
    }
    let lines = Self.lines(
      of: news, rows: newsRows, width: textWidth(canvas, isWide), most: 1)
    for (offset, line) in lines.enumerated() {
      write(offset == 0 ? "News" : "", line, end - lines.count + offset, &canvas)
    }
  }

  /// Whether anything got through, in a line.
  static func sum(of attempts: [Activity]) -> String {
    func count(_ outcomes: [Activity.Outcome]) -> Int {
      attempts.filter { $0.outcome.map(outcomes.contains) ?? false }.reduce(0) { $0 + $1.count }
    }
    let all = attempts.reduce(0) { $0 + $1.count }
    guard all > 0 else { return "nothing so far that was refused or left the sandbox" }
    let through = count([.connected, .told])
    let open = count([.undecided])
    if through > 0 { return "\(through) of \(all) got through, with your open access (F7: all)" }
    if open > 0 { return "\(all) times, none of which is known to have got through (F7: all)" }
    return (all == 1 ? "once, and did not get through" : "\(all) times, and nothing got through")
      + " (F7: all)"
  }

  /// The latest of them, as many as there is room for.
  private static func lines(
    of activities: [Activity], rows: Int, width: Int, most: Int
  ) -> [(String, Style)] {
    var lines: [(String, Style)] = []
    for activity in activities.reversed() {
      let wrapped = LineWrap.lines(activity.line, width: width, most: most)
      guard lines.count + wrapped.count <= rows else { break }
      lines = wrapped.map { ($0, Style(activity.tone)) } + lines
    }
    return lines
  }

  private func textWidth(_ canvas: Canvas, _ isWide: Bool) -> Int {
    canvas.size.columns - (isWide ? Self.labelWidth + 3 : 3)
  }

  private func write(
    _ name: String, _ line: (String, Style), _ number: Int, _ canvas: inout Canvas
  ) {
    let isWide = canvas.size.columns >= Self.wideColumns
    if isWide {
      canvas.write(
        name, in: CanvasSpan(row: number, column: 2, width: Self.labelWidth - 2), style: .dim)
    }
    canvas.write(
      line.0,
      in: CanvasSpan(
        row: number, column: isWide ? Self.labelWidth + 2 : 2, width: textWidth(canvas, isWide)),
      style: line.1)
  }
}
