import TextInput

/// The state of the field that has focus, as a keyboard may know it.
public struct FieldState: Sendable, Equatable {
  /// Names the field to the keyboard: random for each field, and nothing about the app.
  public var documentIdentifier: String
  /// Counts the changes of the field's text and selection.
  public var revision: UInt64
  /// The text around the cursor.
  public var context: ContextWindow
  /// The field's traits; nil when they are as they were.
  public var traits: TextInputTraits?

  /// Makes a state.
  public init(
    documentIdentifier: String, revision: UInt64, context: ContextWindow,
    traits: TextInputTraits? = nil
  ) {
    self.documentIdentifier = documentIdentifier
    self.revision = revision
    self.context = context
    self.traits = traits
  }
}
