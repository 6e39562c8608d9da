/// What is to stand on a terminal: cells and a cursor. Whatever is written stays within the rows and
/// columns it was given, so that no text can draw outside its place.
public struct Canvas: Sendable, Equatable {
  public let size: CanvasSize
  /// Where the text's cursor is shown.
  public var cursor: CanvasPosition?
  private var cells: [Cell]

  public init(size: CanvasSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.rows * size.columns)
  }

  /// A cell within the canvas.
  public subscript(row: Int, column: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }

  /// Writes a text into a part of one row, cut at its end by `…`.
  /// - Returns: the column behind what was written.
  @discardableResult
  public mutating func write(_ text: String, in place: CanvasSpan, style: Style = .plain) -> Int {
    write(Cell.cells(of: text, style: style), in: place)
  }

  /// Writes cells into a part of one row, cut at its end by `…`.
  @discardableResult
  mutating func write(_ written: [Cell], in place: CanvasSpan) -> Int {
    guard place.row >= 0, place.row < size.rows else { return place.column }
    let start = max(place.column, 0)
    let end = min(place.column + place.width, size.columns)
    guard start < end else { return start }
    let total = written.reduce(0) { $0 + $1.width }
    let room = total > end - start ? end - 1 : end
    var column = start
    for cell in written {
      guard column + cell.width <= room else { break }
      put(cell, place.row, column)
      column += cell.width
    }
    if room < end {
      var mark = written.first ?? .blank
      mark.text = "…"
      mark.width = 1
      put(mark, place.row, column)
      column += 1
    }
    return column
  }

  /// Fills a part of one row.
  public mutating func fill(_ place: CanvasSpan, style: Style) {
    for column in max(place.column, 0)..<max(min(place.column + place.width, size.columns), 0)
    where place.row >= 0 && place.row < size.rows {
      put(Cell(text: " ", style: style, width: 1), place.row, column)
    }
  }

  private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
    // Half of a wide character that is written over is no character.
    var start = column
    while start > 0, self[row, start].width == 0 { start -= 1 }
    for covered in start..<column { self[row, covered] = .blank }
    var end = column + cell.width
    while end < size.columns, self[row, end].width == 0 {
      self[row, end] = .blank
      end += 1
    }
    self[row, column] = cell
    for covered in column + 1..<max(column + cell.width, column + 1) {
      self[row, covered] = .covered
    }
  }

  /// The rows as text, for tests and for a terminal that is no terminal.
  public var lines: [String] {
    (0..<size.rows).map { row in
      (0..<size.columns).reduce(into: "") { $0 += self[row, $1].text }
    }
  }
}
