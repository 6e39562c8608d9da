import TextInput

/// A field as its app opens it.
public struct DocumentDescription: Sendable, Equatable {
  public var traits: TextInputTraits
  public var text: String
  /// The selection, or the cursor as an empty range, in Unicode scalars; nil for the text's end.
  public var selection: Range<Int>?
  public var inputViews: InputViews

  public init(
    traits: TextInputTraits = TextInputTraits(), text: String = "", selection: Range<Int>? = nil,
    inputViews: InputViews = InputViews()
  ) {
    self.traits = traits
    self.text = text
    self.selection = selection
    self.inputViews = inputViews
  }
}
