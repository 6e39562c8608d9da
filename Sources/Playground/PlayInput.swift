/// What a person does at the playground's terminal.
public enum PlayInput: Sendable, Equatable {
  /// A key that types nothing by itself.
  public enum Key: Sendable, Equatable {
    case up, down, left, right
    /// The text's cursor, by one character.
    case textLeft, textRight
    case home, end, delete, backspace, enter, tab, backTab, escape
    /// F1 is 1.
    case function(Int)
  }

  /// One Unicode scalar of the hardware keyboard.
  case character(String)
  case key(Key)
  /// The left button of the mouse, at a cell counted from 0.
  case press(row: Int, column: Int)
  /// The right button.
  case longPress(row: Int, column: Int)
  /// The terminal has another size.
  case resize
  case quit
  /// The terminal has gone.
  case end
}
