import TextInput

/// What the host shows for the document that has focus.
public struct Presentation: Sendable, Equatable {
  public var document: DocumentID
  /// nil is the system keyboard.
  public var keyboard: String?
  public var layout: KeyboardLayout
  public var suggestions: [String]
  public var decision: Decision

  public init(
    document: DocumentID, keyboard: String?, layout: KeyboardLayout, suggestions: [String] = [],
    decision: Decision
  ) {
    self.document = document
    self.keyboard = keyboard
    self.layout = layout
    self.suggestions = suggestions
    self.decision = decision
  }
}
