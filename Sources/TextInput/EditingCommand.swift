/// What a user tells the host itself to do with a text, whichever keyboard is shown.
public enum EditingCommand: Sendable, Equatable {
  /// An answer to the question that a shake leads to.
  public enum UndoAnswer: String, Sendable, Equatable, Hashable, CaseIterable {
    case undo
    case redo
    case cancel
  }

  /// What kinds of commands there are, as apps are told.
  public enum Kind: String, Sendable, Equatable, Hashable, CaseIterable {
    case shake
    case drag
    case format
  }

  /// The device was shaken: asks whether to undo.
  case shake
  /// The answer to the question.
  case answerUndo(UndoAnswer)
  /// A finger that went down on the space key for long moved over the keys by so many points, to
  /// the right and down. The cursor goes with it.
  case drag(x: Double, y: Double)
  /// The finger left the keys.
  case dragEnded
  /// Asks the app to change the look of the selection, or of what is typed next.
  case format(RichTextCommand)
}
