import TextInput

/// What an app that draws the keyboard has to draw.
public struct KeyboardPresentation: Sendable, Equatable {
  public var document: String
  /// The keyboard's name for the user; nil is the system keyboard.
  public var displayName: String?
  public var layout: KeyboardLayout
  public var suggestions: [String]
  /// Why it is this keyboard and not another.
  public var reasons: [ShownReason]
  /// What the host does in this field when the user shakes, drags or asks for another look.
  public var commands: [EditingCommand.Kind]
  /// Whether the key under a finger is to be shown large.
  public var showsKeyPreview = false
  /// Whether the keyboard's text runs from right to left.
  public var prefersRightToLeft = false
  /// Where in the keyboard's frame the keys stand, in points from its left edge; nil for all of it.
  public var keySpan: Range<Int>?
  /// The question to put to the user now; nil when none is asked, or none any more.
  public var undoPrompt: UndoQuestion?

  public init(
    document: String, displayName: String?, layout: KeyboardLayout, suggestions: [String],
    reasons: [ShownReason], commands: [EditingCommand.Kind] = []
  ) {
    self.document = document
    self.displayName = displayName
    self.layout = layout
    self.suggestions = suggestions
    self.reasons = reasons
    self.commands = commands
  }
}
