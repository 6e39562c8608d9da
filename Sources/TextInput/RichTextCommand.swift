/// A change of the look of text, which the app that owns the field makes.
public enum RichTextCommand: String, Sendable, Equatable, Hashable, CaseIterable {
  case bold
  case italic
  case underline
}
