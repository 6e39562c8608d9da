import TextInput

/// What the host shows for the document that has focus.
public struct Presentation: Sendable, Equatable {
  public var document: DocumentID
  /// nil is the system keyboard.
  public var keyboard: String?
  public var layout: KeyboardLayout
  public var suggestions: [String]
  public var decision: Decision
  /// Whether a key of role ``KeyRole/character`` is shown large over the finger. Only the system
  /// keyboard's, and never in a field that hides its text.
  public var showsKeyPreview: Bool
  /// Where in the keyboard's frame the keys stand, in points from its left edge.
  public var keySpan: Range<Int>
  /// The question whether to undo, while it is asked.
  public var undoPrompt: UndoPrompt?
  /// What the host does here when it is told to, whichever keyboard is shown.
  public var commands: [EditingCommand.Kind]
  /// Whether the keyboard's text runs from right to left, as its manifest says.
  public var prefersRightToLeft: Bool

  public init(
    document: DocumentID, keyboard: String?, layout: KeyboardLayout, suggestions: [String] = [],
    decision: Decision, showsKeyPreview: Bool = false,
    keySpan: Range<Int> = LayoutEnvironment().keySpan, undoPrompt: UndoPrompt? = nil,
    commands: [EditingCommand.Kind] = [], prefersRightToLeft: Bool = false
  ) {
    self.document = document
    self.keyboard = keyboard
    self.layout = layout
    self.suggestions = suggestions
    self.decision = decision
    self.showsKeyPreview = showsKeyPreview
    self.keySpan = keySpan
    self.undoPrompt = undoPrompt
    self.commands = commands
    self.prefersRightToLeft = prefersRightToLeft
  }
}
