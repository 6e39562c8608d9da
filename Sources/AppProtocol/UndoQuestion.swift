/// The question whether to undo, which an app that draws the keyboard puts to the user.
public struct UndoQuestion: Sendable, Equatable {
  /// Whether there is something to undo.
  public var canUndo: Bool
  /// Whether there is something undone to do again.
  public var canRedo: Bool

  public init(canUndo: Bool, canRedo: Bool) {
    self.canUndo = canUndo
    self.canRedo = canRedo
  }
}
