import KeyboardHost

/// What stands before everything else for a while.
extension PlaygroundModel {
  mutating func drawHelp(_ canvas: inout Canvas) {
    let back = revoked?.identifier ?? "ID"
    let lines = [
      "Type, or tap keys with the mouse, or with the arrows and Enter. Tab: the next field.",
      "The keyboard that serves a field sees what you type and paste there, and no other does.",
      "F2 or the globe: this field's next keyboard. F3: all of them.",
      "F4 shows the password: it stays refused. F5: a long press.",
      "F6 takes the network away, for good. To give it back:",
      "`keyhost grant \(back) open-access`",
      "F7: what keyboards tried. Reading leaves no line: what is not theirs is not there.",
      "All of it is in `keyhost log`, too.",
    ]
    drawBox(
      "What you see",
      lines.map { ($0, Style.plain) } + [
        ("Any key closes this. F10, Ctrl-C: the end.", Style.dim)
      ], &canvas)
  }

  mutating func drawList(_ canvas: inout Canvas) {
    let current = presentation?.keyboard ?? HostSettings.systemKeyboard
    let lines = keyboards.enumerated().map { index, keyboard in
      (
        (keyboard.identifier == current ? "* " : "  ") + keyboard.shortName
          + (keyboard.decision.isEligible ? "" : " (refused here)")
          + (keyboard.hasOpenAccess ? " (open access)" : "") + "  " + keyboard.identifier,
        Style(isDim: !keyboard.decision.isEligible, isReversed: index == listedHighlight)
      )
    }
    let first = drawBox("Keyboards: Enter picks one", lines, isWrapped: false, &canvas)
    for index in keyboards.indices where first + index < canvas.size.rows - 2 {
      targets.append((row(first + index, canvas.size), .listed(index)))
    }
  }

  mutating func drawHappenings(_ canvas: inout Canvas) {
    let width = Self.boxWidth(canvas.size) - 4
    let lines = activities.reversed().flatMap { activity in
      LineWrap.lines(activity.line, width: width).enumerated().map {
        (($0.offset == 0 ? "" : "  ") + $0.element, Style(activity.tone))
      }
    }
    happeningsPassed = max(min(happeningsPassed, lines.count - (canvas.size.rows - 3)), 0)
    drawBox(
      "What happened, the latest first (Up, Down)",
      lines.isEmpty ? [("Nothing yet.", .dim)] : Array(lines.dropFirst(happeningsPassed)),
      isWrapped: false, &canvas)
  }

  private static func boxWidth(_ size: CanvasSize) -> Int { min(size.columns - 2, 78) }

  /// - Returns: the row of the first line.
  @discardableResult
  private mutating func drawBox(
    _ title: String, _ wanted: [(text: String, style: Style)], isWrapped: Bool = true,
    _ canvas: inout Canvas
  ) -> Int {
    let size = canvas.size
    let width = Self.boxWidth(size)
    let lines =
      isWrapped
      ? wanted.flatMap { line in
        LineWrap.lines(line.text, width: width - 4).map { ($0, line.style) }
      } : wanted.map { ($0.text, $0.style) }
    let height = min(lines.count + 2, size.rows - 1)
    let top = (size.rows - height) / 2
    let left = (size.columns - width) / 2
    for number in top..<top + height {
      let span = CanvasSpan(row: number, column: left, width: width)
      canvas.fill(span, style: .plain)
      targets.append((span, .overlay))
    }
    drawBorder(top, top + height - 1, left, width, &canvas)
    canvas.write(
      " \(title) ", in: CanvasSpan(row: top, column: left + 2, width: width - 4), style: .bold)
    for (index, line) in lines.prefix(height - 2).enumerated() {
      canvas.write(
        line.0, in: CanvasSpan(row: top + 1 + index, column: left + 2, width: width - 4),
        style: line.1)
    }
    canvas.cursor = nil
    return top + 1
  }
}
