import KeyboardHost
import TextInput

extension PlaygroundModel {
  /// The smallest terminal that everything fits on.
  public static let smallestSize = CanvasSize(rows: 21, columns: 48)
  /// A frame wider than this only moves the keys apart.
  private static let widestFrame = 100
  /// So many lines of what happened are always seen.
  private static let fewestActivities = 2
  /// The column behind the names of fields and of facts.
  private static let labelWidth = 10

  /// Draws everything, and remembers what stands where.
  /// - Parameter texts: the documents of the fields, as they are now.
  public mutating func draw(size: CanvasSize, texts: [DocumentID: TextDocument]) -> Canvas {
    var canvas = Canvas(size: size)
    targets = []
    gridWidth = nil
    guard size.rows >= Self.smallestSize.rows, size.columns >= Self.smallestSize.columns else {
      canvas.write(
        "Too small: \(Self.smallestSize.columns) x \(Self.smallestSize.rows) are needed",
        in: row(0, size))
      return canvas
    }
    canvas.fill(row(0, size), style: Style(isReversed: true))
    canvas.write(
      " Keyhost playground: keyboards you need not trust", in: row(0, size),
      style: Style(isBold: true, isReversed: true))
    drawFields(texts, &canvas)
    let gap = Self.gap(size)
    let facts = fields.count + 1 + gap
    drawFacts(from: facts, &canvas)
    let frame = drawKeyboard(&canvas)
    drawActivities(from: facts + 3 + gap, to: frame - gap, &canvas)
    let isWide = size.columns >= 64
    canvas.write(
      "F1 help  F2 next keyboard  F3 list  "
        + (isWide && connected != nil ? "F6 no network  " : "") + "F10 quit",
      in: row(size.rows - 1, size), style: .dim)
    switch overlay {
    case .none: break
    case .help: drawHelp(&canvas)
    case .keyboards: drawList(&canvas)
    }
    return canvas
  }

  /// The blank rows between the parts: none on a small terminal, where keys and what happened need them.
  private static func gap(_ size: CanvasSize) -> Int { size.rows < 28 ? 0 : 1 }

  private func row(_ number: Int, _ size: CanvasSize) -> CanvasSpan {
    CanvasSpan(row: number, column: 0, width: size.columns)
  }

  // MARK: Fields

  private mutating func drawFields(_ texts: [DocumentID: TextDocument], _ canvas: inout Canvas) {
    for (index, field) in fields.enumerated() {
      let number = index + 1
      let isFocused = index == focused
      canvas.write(
        (isFocused ? "> " : "  ") + field.name,
        in: CanvasSpan(row: number, column: 0, width: Self.labelWidth + 1),
        style: isFocused ? Style(.accent, isBold: true) : .plain)
      let eye = field.hasEye ? 10 : 0
      let place = CanvasSpan(
        row: number, column: Self.labelWidth + 2,
        width: canvas.size.columns - Self.labelWidth - 3 - eye)
      canvas.fill(place, style: Style(isDim: !isFocused, isReversed: true))
      let text = texts[field.document] ?? TextDocument()
      let cursor = draw(text, isHidden: field.isHidden, in: place, &canvas)
      if isFocused { canvas.cursor = CanvasPosition(row: number, column: cursor) }
      targets.append((row(number, canvas.size), .field(index)))
      if field.hasEye {
        let span = CanvasSpan(row: number, column: place.column + place.width + 1, width: eye - 1)
        canvas.write(field.isHidden ? "F4 show" : "F4 hide", in: span, style: .dim)
        targets.append((span, .eye(index)))
      }
    }
  }

  /// Draws as much of the text as fits, with the cursor in it.
  /// - Returns: the column of the cursor.
  private func draw(
    _ document: TextDocument, isHidden: Bool, in place: CanvasSpan, _ canvas: inout Canvas
  ) -> Int {
    let text = document.text
    let end = document.selectedRange.upperBound
    func cells(_ part: Substring) -> [Cell] {
      let shown =
        isHidden
        ? String(repeating: "*", count: part.count)
        : String(part.map { $0.isNewline ? "\u{21B5}" : $0 })
      return Cell.cells(of: shown, style: Style(isReversed: true))
    }
    // A long text costs no more than what can be seen of it.
    let split = text.index(text.startIndex, offsetBy: end)
    var before: [Cell] = []
    var width = 0
    for cell in cells(text[..<split].suffix(place.width)).reversed() {
      guard width + cell.width < place.width else { break }
      width += cell.width
      before.append(cell)
    }
    let column = canvas.write(before.reversed(), in: place)
    canvas.write(
      cells(text[split...].prefix(place.width)),
      in: CanvasSpan(row: place.row, column: column, width: place.column + place.width - column))
    return column
  }

  // MARK: Which keyboard, and why

  private mutating func drawFacts(from first: Int, _ canvas: inout Canvas) {
    let keyboard = serving
    let isRefused = presentation.map { !$0.decision.isEligible } ?? false
    let isIncognito = presentation?.decision.isIncognito ?? false
    let sandbox =
      isIncognito ? "incognito: in a sandbox that is thrown away" : "in a sandbox of its own"
    fact(
      "Serves", keyboard.map { "\($0.shortName), \(sandbox)" } ?? "the system keyboard",
      Style(keyboard == nil ? .plain : .allowed, isBold: true), at: first, &canvas)
    fact("Why", why, Style(isRefused ? .refused : .plain), at: first + 1, &canvas)
    if let connected {
      let name = connected.shortName
      let text =
        isIncognito
        ? "none here; OPEN for \(name) elsewhere: F6 takes it away"
        : "OPEN for \(name): F6 takes it away"
      fact("Network", text, Style(.network, isBold: true), at: first + 2, &canvas)
      targets.append((row(first + 2, canvas.size), .revoke))
    } else {
      fact(
        "Network", keyboards.count > 1 ? "none: no keyboard has open access" : "none",
        .plain, at: first + 2, &canvas)
    }
  }

  private var why: String {
    guard let presentation else { return "no field has focus" }
    let reasons = presentation.decision.reasons.map(\.description).joined(separator: "; ")
    if presentation.decision.isEligible, presentation.keyboard == nil, keyboards.count > 1 {
      return "the keyboard is starting, or was stopped: see below"
    }
    if presentation.decision.reasons == [.noKeyboardEnabled] {
      return reasons + ": `keyhost keyboards add ID` does that"
    }
    return reasons
  }

  private func fact(
    _ name: String, _ text: String, _ style: Style, at number: Int, _ canvas: inout Canvas
  ) {
    canvas.write(
      name, in: CanvasSpan(row: number, column: 2, width: Self.labelWidth - 2), style: .dim)
    canvas.write(
      text,
      in: CanvasSpan(
        row: number, column: Self.labelWidth + 2,
        width: canvas.size.columns - Self.labelWidth - 3), style: style)
  }

  private func drawActivities(from first: Int, to end: Int, _ canvas: inout Canvas) {
    guard first < end else { return }
    for (offset, activity) in activities.suffix(end - first).enumerated() {
      canvas.write(
        activity.count > 1 ? "\(activity.count) times: \(activity.text)" : activity.text,
        in: CanvasSpan(row: first + offset, column: 2, width: canvas.size.columns - 3),
        style: Style(activity.tone))
    }
  }

  // MARK: The keyboard's frame

  /// Draws the frame at the bottom: the suggestion bar, the keys, and the host's own keys.
  /// - Returns: the row of its top.
  private mutating func drawKeyboard(_ canvas: inout Canvas) -> Int {
    let size = canvas.size
    let width = min(size.columns, Self.widestFrame)
    let left = (size.columns - width) / 2
    let layout = presentation?.layout ?? KeyboardLayout(rows: [])
    // What keyboards tried is always seen, however many rows one of them has: then the rows around
    // the key that is picked out are shown.
    let room =
      size.rows - (fields.count + 4 + 3 * Self.gap(size) + Self.fewestActivities) - 5
    let shown = min(layout.rows.count, max(room, 1))
    let bottom = size.rows - 2
    let top = bottom - shown - 3
    let first = min(max((highlight?.row ?? 0) - shown + 1, 0), layout.rows.count - shown)
    drawBorder(top, bottom, left, width, &canvas)
    // Whatever a keyboard calls itself, the frame of one does not look like the host's own.
    let kind = presentation?.decision.isIncognito == true ? ", incognito" : ""
    let title = serving.map { "Keyboard in a sandbox\(kind): \($0.name)" } ?? "System keyboard"
    canvas.write(
      " \(title) ", in: CanvasSpan(row: top, column: left + 2, width: width - 4), style: .bold)
    drawSuggestions(CanvasSpan(row: top + 1, column: left + 1, width: width - 2), &canvas)
    let grid = KeyGrid(layout, width: width - 2)
    gridWidth = width - 2
    for (row, places) in grid.rows.enumerated() where (first..<first + shown).contains(row) {
      for (index, place) in places.enumerated() {
        draw(
          place.key,
          CanvasSpan(
            row: top + 2 + row - first, column: left + 1 + place.column, width: place.width),
          row, index, &canvas)
      }
    }
    hostKey("Globe: next (F2)", at: left + 2, .globe, bottom - 1, &canvas)
    hostKey("Keyboards (F3)", at: left + 20, .list, bottom - 1, &canvas)
    if shown < layout.rows.count {
      canvas.write(
        "Up, Down: more",
        in: CanvasSpan(row: bottom - 1, column: left + 36, width: max(width - 37, 0)), style: .dim)
    }
    return top
  }

  private func drawBorder(
    _ top: Int, _ bottom: Int, _ left: Int, _ width: Int, _ canvas: inout Canvas
  ) {
    let line = String(repeating: "\u{2500}", count: width - 2)
    canvas.write(
      "\u{250C}\(line)\u{2510}", in: CanvasSpan(row: top, column: left, width: width), style: .dim)
    canvas.write(
      "\u{2514}\(line)\u{2518}", in: CanvasSpan(row: bottom, column: left, width: width),
      style: .dim)
    for number in top + 1..<max(bottom, top + 1) {
      for column in [left, left + width - 1] {
        canvas.write(
          "\u{2502}", in: CanvasSpan(row: number, column: column, width: 1), style: .dim)
      }
    }
  }

  private mutating func drawSuggestions(_ place: CanvasSpan, _ canvas: inout Canvas) {
    let suggestions = presentation?.suggestions ?? []
    guard !suggestions.isEmpty else { return }
    let width = place.width / suggestions.count
    for (index, suggestion) in suggestions.enumerated() {
      let span = CanvasSpan(
        row: place.row, column: place.column + index * width, width: max(width - 1, 0))
      let isHighlighted = highlight.map { $0.row < 0 && $0.index == index } ?? false
      canvas.write(
        " \(suggestion)", in: span, style: Style(.accent, isReversed: isHighlighted))
      targets.append((span, .suggestion(index)))
    }
  }

  private mutating func draw(
    _ key: Key, _ span: CanvasSpan, _ row: Int, _ index: Int, _ canvas: inout Canvas
  ) {
    guard span.width > 0 else { return }
    let isHighlighted = highlight.map { $0.row == row && $0.index == index } ?? false
    let style = Style(
      isHighlighted ? .accent : .plain, isBold: isHighlighted || key.role != .character,
      isReversed: isHighlighted)
    if isHighlighted { canvas.fill(span, style: style) }
    let label = Cell.cells(of: key.label.isEmpty ? key.id : key.label, style: style)
    let used = min(label.reduce(0) { $0 + $1.width }, span.width)
    let inset = (span.width - used) / 2
    canvas.write(
      label, in: CanvasSpan(row: span.row, column: span.column + inset, width: span.width - inset))
    targets.append((span, .key(row: row, index: index)))
  }

  private mutating func hostKey(
    _ text: String, at column: Int, _ target: Target, _ row: Int, _ canvas: inout Canvas
  ) {
    let span = CanvasSpan(row: row, column: column, width: text.count + 1)
    canvas.write(text, in: span, style: Style(.accent))
    targets.append((span, target))
  }

  // MARK: Overlays

  private mutating func drawHelp(_ canvas: inout Canvas) {
    drawBox(
      "What you see",
      [
        ("Type, or tap keys with the mouse, or with the arrows and Enter.", .plain),
        ("Tab goes to the next field. Shift and arrows move in the text.", .plain),
        ("`Serves` says which keyboard the field has, `Why` why.", .plain),
        ("Passwords, phone numbers and the bank app refuse keyboards.", .plain),
        ("The card's number is typed incognito, and forgotten.", .plain),
        ("F2 or the globe: this field's next keyboard. F3 lists them.", .plain),
        ("F4 shows a password. The field stays refused.", .plain),
        ("F5 presses for long the key that the arrows have picked out.", .plain),
        ("F6 takes the network away, for good; to give it (back):", .plain),
        ("`keyhost grant ID open-access`.", .plain),
        ("What keyboards tried stands between the fields and the keys.", .plain),
        ("Any key closes this. F10 or Ctrl-C ends the playground.", .dim),
      ], &canvas)
  }

  private mutating func drawList(_ canvas: inout Canvas) {
    let current = presentation?.keyboard ?? HostSettings.systemKeyboard
    let lines = keyboards.enumerated().map { index, keyboard in
      (
        (keyboard.identifier == current ? "* " : "  ") + keyboard.shortName
          + (keyboard.hasOpenAccess ? " (open access)" : "") + "  " + keyboard.identifier,
        Style(isReversed: index == listedHighlight)
      )
    }
    let first = drawBox("Keyboards: Enter picks one", lines, &canvas)
    for index in keyboards.indices where first + index < canvas.size.rows - 2 {
      targets.append((row(first + index, canvas.size), .listed(index)))
    }
  }

  /// - Returns: the row of the first line.
  @discardableResult
  private mutating func drawBox(
    _ title: String, _ lines: [(text: String, style: Style)], _ canvas: inout Canvas
  ) -> Int {
    let size = canvas.size
    let width = min(size.columns - 2, 68)
    let height = min(lines.count + 2, size.rows - 2)
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
        line.text, in: CanvasSpan(row: top + 1 + index, column: left + 2, width: width - 4),
        style: line.style)
    }
    canvas.cursor = nil
    return top + 1
  }
}
