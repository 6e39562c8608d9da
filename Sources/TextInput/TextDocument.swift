/// The text of a field with its cursor, selection and marked text.
///
/// All offsets are in grapheme clusters of the whole text (UAX #29, as the Swift standard library
/// has it), and the cursor and both ends of the selection always stand at the boundary of one. An
/// edit that joins clusters across the cursor (half a flag typed before another half, a mark that
/// loses the letter between it and the one before) moves the cursor to the end of the joined
/// cluster, so that no later edit can take half of it.
///
/// The marked text stands at the cursor. It is part of ``text``, but counts as text of the cluster
/// rules only when it is committed. Committing happens by ``TextEdit/unmarkText``, by moving the
/// cursor and by ``commitMarkedText()``; inserting replaces it.
public struct TextDocument: Sendable, Equatable {
  /// The longest text that a keyboard may make, in bytes of UTF-8.
  public static let maximumBytes = 1 << 20
  /// The longest marked text, in bytes of UTF-8.
  public static let maximumMarkedBytes = ContextWindow.maximumBytes

  struct MarkedText: Sendable, Equatable {
    var text: String
    var selectedRange: Range<Int>
  }

  // Appending at the cursor is what nearly every key does, so the text is kept in pieces that
  // meet there.
  var before: String
  var selected = ""
  var after = ""
  var marked: MarkedText?

  /// Counts the changes: every call that changed the text, the selection or the marked text adds
  /// one; a call that changed nothing adds nothing.
  public internal(set) var revision: UInt64 = 0
  /// What was changed, for undoing it; nil when nobody wants to.
  var history: EditHistory?
  /// What the edits being applied have cost so far; 0 between transactions.
  var work = 0

  /// A document with the cursor at the end of its text.
  public init(_ text: String = "") {
    before = text
  }

  /// The document that a keyboard sees through a window: its text is what the window shows.
  public init(context: ContextWindow, revision: UInt64 = 0) {
    before = context.beforeInput
    selected = context.selectedText ?? ""
    after = context.afterInput
    if let text = context.markedText, !text.isEmpty {
      marked = MarkedText(text: text, selectedRange: text.count..<text.count)
    }
    self.revision = revision
  }

  /// The whole text, with the marked text in it.
  public var text: String {
    var result = before
    result.reserveCapacity(utf8Count)
    result += marked?.text ?? selected
    result += after
    return result
  }

  /// The length of the text in bytes of UTF-8.
  public var utf8Count: Int {
    before.utf8.count + selected.utf8.count + after.utf8.count + (marked?.text.utf8.count ?? 0)
  }

  /// Whether there is no text at all.
  public var isEmpty: Bool { utf8Count == 0 }

  /// The selected text, nil when nothing is selected.
  public var selectedText: String? { selected.isEmpty ? nil : selected }

  /// The text being composed, nil when there is none.
  public var markedText: String? { marked?.text }

  /// The selection, or the cursor as an empty range, in clusters of the text; the end of the
  /// marked text while there is one. Takes time in proportion to the length of the text.
  public var selectedRange: Range<Int> {
    if let marked {
      let end = (before + marked.text).count
      return end..<end
    }
    let start = before.count
    return start..<(start + selected.count)
  }

  /// The most work that the edits of one transaction may make: bytes of text walked through for
  /// cluster boundaries, with a 64th of those only copied. About 20 ms on a slow machine; nobody's
  /// typing needs a thousandth of it, and a host must not stand still for a keyboard.
  static let maximumWork = 1 << 20

  /// Applies a keyboard's edits, whole or not at all.
  public mutating func apply(_ edits: [TextEdit]) throws(TextEditError) {
    var longest = utf8Count
    for edit in edits {
      switch edit {
      case .insertText(let text): longest += text.utf8.count
      case .setMarkedText(let text, let range):
        try Self.check(markedText: text, range)
        longest += text.utf8.count
      default: break
      }
    }
    // Only the length can still fail, and only if all insertions together exceed it: everything
    // else is done in place, so that typing does not copy the text.
    // And the work, which is no more than walking through the whole text for each edit.
    let (worst, overflows) = edits.count.multipliedReportingOverflow(by: longest)
    guard longest > Self.maximumBytes || worst > Self.maximumWork || overflows else {
      _ = applyChecked(edits)
      return
    }
    var copy = self
    guard copy.applyChecked(edits) else { throw .tooMuchWork }
    guard copy.utf8Count <= max(Self.maximumBytes, utf8Count) else {
      throw .tooLong(limit: Self.maximumBytes)
    }
    self = copy
  }

  private static func check(markedText: String, _ range: Range<Int>) throws(TextEditError) {
    guard markedText.utf8.count <= maximumMarkedBytes else {
      throw .markedTextTooLong(limit: maximumMarkedBytes)
    }
    let count = markedText.count
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .rangeOutOfBounds(range, count: count)
    }
  }

  /// - Returns: false when the work was too much, which leaves the edits half done.
  private mutating func applyChecked(_ edits: [TextEdit]) -> Bool {
    var changed = false
    work = 0
    history?.begin()
    defer {
      work = 0
      history?.end()
    }
    for edit in edits {
      guard work <= Self.maximumWork || edits.count == 1 else { return false }
      switch edit {
      case .insertText(let text): changed = insert(text) || changed
      case .deleteBackward: changed = deleteBackward() || changed
      case .adjustTextPosition(let offset): changed = move(by: offset) || changed
      case .setMarkedText(let text, let range): changed = mark(text, range) || changed
      case .unmarkText: changed = commit() || changed
      }
    }
    if changed { revision += 1 }
    return true
  }

  /// The app's own edit: a new text, with the cursor at its end or the selection given, in
  /// clusters, which is moved inside the text where it is not. Composing ends, and nothing that was
  /// typed before can be undone.
  public mutating func replaceText(_ text: String, selection: Range<Int>? = nil) {
    var replaced = TextDocument(text)
    if let selection { replaced.place(selection) }
    guard marked != nil || !hasSamePieces(as: replaced) else { return }
    replaced.revision = revision + 1
    replaced.history = history.map { _ in EditHistory() }
    self = replaced
  }

  /// The app's or the user's own move of the cursor or selection, in clusters of the text; what is
  /// outside is moved inside. The marked text becomes ordinary text.
  public mutating func select(_ range: Range<Int>) {
    var moved = TextDocument(text)
    moved.place(range)
    guard marked != nil || !hasSamePieces(as: moved) else { return }
    moved.revision = revision + 1
    recordCommit()
    moved.history = history
    self = moved
  }

  /// Makes the marked text ordinary text, as happens when a field loses focus.
  public mutating func commitMarkedText() {
    history?.begin()
    if commit() { revision += 1 }
    history?.end()
  }

  func hasSamePieces(as other: TextDocument) -> Bool {
    before.utf8.elementsEqual(other.before.utf8) && selected.utf8.elementsEqual(other.selected.utf8)
      && after.utf8.elementsEqual(other.after.utf8)
  }

  /// Splits a text that lies whole before the cursor.
  private mutating func place(_ range: Range<Int>) {
    let whole = before
    let bound = whole.utf8.count
    let lower = min(max(range.lowerBound, 0), bound)
    let upper = min(max(range.upperBound, 0), bound)
    let start =
      whole.index(whole.startIndex, offsetBy: lower, limitedBy: whole.endIndex) ?? whole.endIndex
    let end =
      whole.index(start, offsetBy: upper - lower, limitedBy: whole.endIndex) ?? whole.endIndex
    before = String(whole[..<start])
    selected = String(whole[start..<end])
    after = String(whole[end...])
  }
}
