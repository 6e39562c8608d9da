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
  static let labelWidth = 10
  /// From so many columns on there is room for more than the necessary.
  static let wideColumns = 64

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
    let title = Self.titleRows(size)
    if title > 0 {
      canvas.fill(row(0, size), style: Style(isReversed: true))
      canvas.write(
        " Keyhost playground: keyboards you need not trust", in: row(0, size),
        style: Style(isBold: true, isReversed: true))
    }
    drawFields(from: title, texts, &canvas)
    let gap = Self.gap(size)
    let facts = title + fields.count + gap
    let behind = drawFacts(from: facts, &canvas)
    let frame = drawKeyboard(below: behind + gap, &canvas)
    drawStrip(from: behind + gap, to: frame - gap, &canvas)
    drawFunctionKeys(&canvas)
    switch overlay {
    case .none: break
    case .help: drawHelp(&canvas)
    case .keyboards: drawList(&canvas)
    case .happenings: drawHappenings(&canvas)
    }
    return canvas
  }

  /// The blank rows between the parts: none on a small terminal, where keys and what happened need them.
  private static func gap(_ size: CanvasSize) -> Int { size.rows < 28 ? 0 : 1 }

  private static func titleRows(_ size: CanvasSize) -> Int { size.rows < 24 ? 0 : 1 }

  private mutating func drawFunctionKeys(_ canvas: inout Canvas) {
    let size = canvas.size
    let isWide = size.columns >= Self.wideColumns
    var keys: [(number: Int, text: String)] = [
      (1, "F1 help"), (2, isWide ? "F2 next keyboard" : "F2 next"), (3, "F3 list"), (7, "F7 tried"),
      (10, "F10 quit"),
    ]
    if connected != nil { keys.insert((6, isWide ? "F6 no network" : "F6 net"), at: 3) }
    var column = 0
    for key in keys {
      let span = CanvasSpan(row: size.rows - 1, column: column, width: key.text.count)
      canvas.write(key.text, in: span, style: .dim)
      targets.append((span, .function(key.number)))
      column += key.text.count + (isWide ? 2 : 1)
    }
  }

  func row(_ number: Int, _ size: CanvasSize) -> CanvasSpan {
    CanvasSpan(row: number, column: 0, width: size.columns)
  }

  // MARK: Fields

  private mutating func drawFields(
    from first: Int, _ texts: [DocumentID: TextDocument], _ canvas: inout Canvas
  ) {
    for (index, field) in fields.enumerated() {
      let number = first + index
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

  // MARK: The keyboard's frame

  /// Draws the frame at the bottom: the suggestion bar, the keys, and the host's own keys.
  /// - Returns: the row of its top.
  private mutating func drawKeyboard(below first: Int, _ canvas: inout Canvas) -> Int {
    let size = canvas.size
    let width = min(size.columns, Self.widestFrame)
    let left = (size.columns - width) / 2
    let layout = presentation?.layout ?? KeyboardLayout(rows: [])
    // What keyboards tried is always seen, however many rows one of them has: then the rows around
    // the key that is picked out are shown.
    let bottom = size.rows - 2
    let room = bottom - first - Self.gap(size) - Self.fewestActivities - 2
    let shown = min(layout.rows.count, max(room, 1))
    let top = bottom - shown - 2
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
    // The host's own keys are part of the frame, where a keyboard draws nothing.
    hostKey(" Globe: next (F2) ", at: left + 2, .globe, bottom, &canvas)
    hostKey(" List (F3) ", at: left + 21, .list, bottom, &canvas)
    if shown < layout.rows.count {
      canvas.write(
        " Up, Down: more ",
        in: CanvasSpan(row: bottom, column: left + 33, width: max(width - 35, 0)), style: .dim)
    }
    return top
  }

  func drawBorder(
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
    var label = Cell.cells(of: key.label.isEmpty ? key.id : key.label, style: style)
    if label.reduce(0, { $0 + $1.width }) > span.width, let sign = Self.sign(of: key.role) {
      label = Cell.cells(of: sign, style: style)
    }
    let used = min(label.reduce(0) { $0 + $1.width }, span.width)
    let inset = (span.width - used) / 2
    canvas.write(
      label, in: CanvasSpan(row: span.row, column: span.column + inset, width: span.width - inset))
    targets.append((span, .key(row: row, index: index)))
  }

  /// What stands on a key that is too narrow for its label.
  private static func sign(of role: KeyRole) -> String? {
    switch role {
    case .return: "\u{23CE}"
    case .space: "\u{2423}"
    case .delete: "\u{232B}"
    default: nil
    }
  }

  private mutating func hostKey(
    _ text: String, at column: Int, _ target: Target, _ row: Int, _ canvas: inout Canvas
  ) {
    let span = CanvasSpan(row: row, column: column, width: text.count)
    canvas.write(text, in: span, style: Style(.accent))
    targets.append((span, target))
  }
}
