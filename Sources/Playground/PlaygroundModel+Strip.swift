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
    let tried = Self.lines(
      of: attempts, rows: rows - newsRows, width: textWidth(canvas, isWide),
      most: rows >= 6 ? 2 : 1)
    if tried.isEmpty {
      write("Tried", ("nothing so far that was refused or left the sandbox", .dim), first, &canvas)
    }
    for (offset, line) in tried.enumerated() {
      write(offset == 0 ? "Tried" : "", line, first + offset, &canvas)
    }
    let lines = Self.lines(
      of: news, rows: newsRows, width: textWidth(canvas, isWide), most: 1)
    for (offset, line) in lines.enumerated() {
      write(offset == 0 ? "News" : "", line, end - lines.count + offset, &canvas)
    }
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
