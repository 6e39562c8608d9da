import TextInput

/// A field as its app opens it.
public struct DocumentDescription: Sendable, Equatable {
  public var traits: TextInputTraits
  public var text: String
  /// The selection, or the cursor as an empty range, in Unicode scalars; nil for the text's end.
  public var selection: Range<Int>?
  public var inputViews: InputViews
  /// What the field is for, such as a conversation. The keyboard that the user picked in the last
  /// field of that name serves this one, too; as `UIResponder.textInputContextIdentifier`.
  public var textInputContextIdentifier: String?

  public init(
    traits: TextInputTraits = TextInputTraits(), text: String = "", selection: Range<Int>? = nil,
    inputViews: InputViews = InputViews(), textInputContextIdentifier: String? = nil
  ) {
    self.traits = traits
    self.text = text
    self.selection = selection
    self.inputViews = inputViews
    self.textInputContextIdentifier = textInputContextIdentifier
  }
}
