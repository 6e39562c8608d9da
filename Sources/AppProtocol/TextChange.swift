/// A change of a document that its app did not make. Offsets are in Unicode scalars.
public struct TextChange: Sendable, Equatable {
  /// Who changed it.
  public enum Cause: String, Sendable, Equatable, CaseIterable {
    /// A key, by whichever keyboard.
    case keyboard
    /// The field lost the keyboard, and what was being composed became ordinary text.
    case commit
  }

  public var document: String
  /// The revision that the change applies to.
  public var baseRevision: UInt64
  /// The revision that it makes. The same as `baseRevision` when more of the change follows.
  public var revision: UInt64
  /// What is replaced, in the text of `baseRevision`.
  public var range: Range<Int>
  public var text: String
  /// The selection afterwards, or the cursor as an empty range.
  public var selection: Range<Int>
  /// Which part of the text is being composed, afterwards; nil when none is.
  public var markedRange: Range<Int>?
  public var cause: Cause

  public init(
    document: String, baseRevision: UInt64, revision: UInt64, range: Range<Int>, text: String,
    selection: Range<Int>, markedRange: Range<Int>? = nil, cause: Cause
  ) {
    self.document = document
    self.baseRevision = baseRevision
    self.revision = revision
    self.range = range
    self.text = text
    self.selection = selection
    self.markedRange = markedRange
    self.cause = cause
  }
}
