/// A change of a document that its app makes. Offsets are in grapheme clusters, unless a case says
/// scalars.
public enum AppEdit: Sendable, Equatable {
  case replaceText(String, selection: Range<Int>?)
  case select(Range<Int>)
  /// A part of the text, in Unicode scalars; without a selection the cursor stands behind it. Only
  /// for the text of that revision.
  case replaceScalars(Range<Int>, text: String, selection: Range<Int>?, base: UInt64)
  /// In Unicode scalars. Only for the text of that revision.
  case selectScalars(Range<Int>, base: UInt64)
}
