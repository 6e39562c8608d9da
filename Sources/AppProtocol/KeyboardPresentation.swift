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

  public init(
    document: String, displayName: String?, layout: KeyboardLayout, suggestions: [String],
    reasons: [ShownReason]
  ) {
    self.document = document
    self.displayName = displayName
    self.layout = layout
    self.suggestions = suggestions
    self.reasons = reasons
  }
}
