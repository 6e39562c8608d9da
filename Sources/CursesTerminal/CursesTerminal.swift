import CCurses
import Playground

/// The whole terminal as a canvas, by way of curses. One of it at a time, on the main thread: curses
/// keeps one screen for the process.
public final class CursesTerminal {
  /// A terminal that cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// What has come of a report of the mouse.
  private var report: MouseReport?

  /// Takes the terminal over until ``end()``.
  /// - Throws: ``Failure`` where `TERM` names no terminal that curses knows.
  public init() throws(Failure) {
    guard ccurses_begin() == 0 else {
      throw Failure(
        description: "the terminal is of no known kind: set TERM to one that is, such as "
          + "`TERM=xterm-256color`")
    }
  }

  /// Gives the terminal back as it was.
  public func end() { ccurses_end() }

  /// How large it is now.
  public var size: CanvasSize {
    CanvasSize(rows: Int(ccurses_rows()), columns: Int(ccurses_columns()))
  }

  /// Shows a canvas. What did not change is not sent again.
  public func show(_ canvas: Canvas) {
    ccurses_erase()
    for row in 0..<canvas.size.rows {
      var column = 0
      while column < canvas.size.columns {
        let cell = canvas[row, column]
        if cell.width > 0, cell != .blank { put(cell, row, column) }
        column += max(cell.width, 1)
      }
    }
    if let cursor = canvas.cursor {
      ccurses_show(Int32(cursor.row), Int32(cursor.column))
    } else {
      ccurses_show(-1, 0)
    }
  }

  private func put(_ cell: Cell, _ row: Int, _ column: Int) {
    let style = cell.style
    unsafe cell.text.withCString {
      unsafe ccurses_put(
        Int32(row), Int32(column), $0, style.isBold ? 1 : 0, style.isDim ? 1 : 0,
        style.isReversed ? 1 : 0, Self.color(of: style.tone))
    }
  }

  /// The pair of colours of a tone, counted as in the shim.
  private static func color(of tone: Style.Tone) -> Int32 {
    switch tone {
    case .plain: 0
    case .allowed: 1
    case .refused: 2
    case .network: 3
    case .accent: 4
    }
  }

  /// The next thing that the person did, if there is one. It does not wait.
  public func read() -> PlayInput? {
    while true {
      var value: Int32 = 0
      let kind = Int(unsafe ccurses_read(&value))
      if kind == CCURSES_CHARACTER, report != nil {
        // A terminal far away may send the rest later.
        guard let done = report?.append(UInt32(bitPattern: value)) else { continue }
        report = nil
        if let input = done.input { return input }
        continue
      }
      // Whatever else comes is no part of a report.
      if kind != CCURSES_NOTHING { report = nil }
      switch kind {
      case CCURSES_NOTHING: return nil
      case CCURSES_END: return .end
      case CCURSES_RESIZE: return .resize
      case CCURSES_MOUSE: report = MouseReport(.numbers)
      case CCURSES_OLD_MOUSE: report = MouseReport(.characters)
      case CCURSES_CHARACTER:
        if let input = Self.character(value) { return input }
      default:
        if let input = Self.key(Int(value)) { return input }
      }
    }
  }

  private static func character(_ value: Int32) -> PlayInput? {
    switch value {
    case 0x03, 0x11: return .quit  // Ctrl-C, Ctrl-Q
    case 0x08, 0x7F: return .key(.backspace)
    case 0x09: return .key(.tab)
    case 0x0A, 0x0D: return .key(.enter)
    case 0x1B: return .key(.escape)
    default:
      guard value >= 0x20, let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
      return .character(String(scalar))
    }
  }

  private static func key(_ value: Int) -> PlayInput? {
    switch value {
    case CCURSES_UP: .key(.up)
    case CCURSES_DOWN: .key(.down)
    case CCURSES_LEFT: .key(.left)
    case CCURSES_RIGHT: .key(.right)
    case CCURSES_SHIFT_LEFT: .key(.textLeft)
    case CCURSES_SHIFT_RIGHT: .key(.textRight)
    case CCURSES_HOME: .key(.home)
    case CCURSES_END_KEY: .key(.end)
    case CCURSES_DELETE: .key(.delete)
    case CCURSES_BACKSPACE: .key(.backspace)
    case CCURSES_ENTER: .key(.enter)
    case CCURSES_BACK_TAB: .key(.backTab)
    case (CCURSES_FUNCTION + 1)...(CCURSES_FUNCTION + 12): .key(.function(value - CCURSES_FUNCTION))
    default: nil
    }
  }
}
