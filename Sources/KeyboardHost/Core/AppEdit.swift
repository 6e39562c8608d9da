/// A change of a document that its app makes. Offsets are in grapheme clusters.
public enum AppEdit: Sendable, Equatable {
  case replaceText(String, selection: Range<Int>?)
  case select(Range<Int>)
}
