import CCurses
import Playground

/// The whole terminal as a canvas, by way of curses. One of it at a time, on the main thread: curses
/// keeps one screen for the process.
public final class CursesTerminal {
  /// A terminal that cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private var reader = TerminalReader()

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
    if let held = reader.takeHeld() { return held }
    while true {
      var value: Int32 = 0
      let unit: TerminalReader.Unit
      switch Int(unsafe ccurses_read(&value)) {
      case CCURSES_NOTHING: unit = .pause
      case CCURSES_END: unit = .end
      case CCURSES_RESIZE: unit = .resize
      case CCURSES_MOUSE: unit = .mouse(.numbers)
      case CCURSES_OLD_MOUSE: unit = .mouse(.bytes)
      case CCURSES_BYTE: unit = .byte(UInt8(truncatingIfNeeded: value))
      default:
        guard let key = Self.key(Int(value)) else { continue }
        unit = .key(key)
      }
      if let input = reader.take(unit) { return input }
      if unit == .pause { return nil }
    }
  }

  private static func key(_ value: Int) -> PlayInput.Key? {
    switch value {
    case CCURSES_UP: .up
    case CCURSES_DOWN: .down
    case CCURSES_LEFT: .left
    case CCURSES_RIGHT: .right
    case CCURSES_SHIFT_LEFT: .textLeft
    case CCURSES_SHIFT_RIGHT: .textRight
    case CCURSES_HOME: .home
    case CCURSES_END_KEY: .end
    case CCURSES_DELETE: .delete
    case CCURSES_BACKSPACE: .backspace
    case CCURSES_ENTER: .enter
    case CCURSES_BACK_TAB: .backTab
    case (CCURSES_FUNCTION + 1)...(CCURSES_FUNCTION + 12): .function(value - CCURSES_FUNCTION)
    default: nil
    }
  }
}
