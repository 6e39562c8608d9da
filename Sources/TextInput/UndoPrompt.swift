/// The question whether to undo, which a shake leads to. It is about the text as it stood then, and
/// is gone when that changes.
public struct UndoPrompt: Sendable, Equatable {
  /// The revision of the document that the answer is for.
  public var revision: UInt64
  /// Whether there is something to undo.
  public var canUndo: Bool
  /// Whether there is something undone to do again.
  public var canRedo: Bool

  /// Makes a question.
  public init(revision: UInt64, canUndo: Bool, canRedo: Bool) {
    self.revision = revision
    self.canUndo = canUndo
    self.canRedo = canRedo
  }
}
