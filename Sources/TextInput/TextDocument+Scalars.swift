/// Offsets in Unicode scalars, as other languages count a text: what an app and the host speak of.
/// The document itself keeps to grapheme clusters: what falls into one is moved to its end.
extension TextDocument {
  /// The selection, or the cursor as an empty range. Takes time in proportion to the text before it.
  public var selectedScalars: Range<Int> {
    let start = before.scalarCount
    guard let marked else { return start..<(start + selected.scalarCount) }
    let text = marked.text
    let lower = text.index(text.startIndex, offsetBy: marked.selectedRange.lowerBound)
    let upper = text.index(lower, offsetBy: marked.selectedRange.count)
    let offset = start + text[..<lower].unicodeScalars.count
    return offset..<(offset + text[lower..<upper].unicodeScalars.count)
  }

  /// The text being composed, nil when there is none.
  public var markedScalars: Range<Int>? {
    guard let marked else { return nil }
    let start = before.scalarCount
    return start..<(start + marked.text.scalarCount)
  }

  /// The length of the text in Unicode scalars.
  public var scalarCount: Int {
    before.scalarCount + (marked?.text ?? selected).scalarCount + after.scalarCount
  }

  /// The app's own change of a part of the text, with the cursor behind what is new, or the
  /// selection given. Composing ends.
  /// - Returns: false, and nothing is changed, when the range is not in the text.
  public mutating func replaceScalars(
    _ range: Range<Int>, with text: String, selection: Range<Int>? = nil
  ) -> Bool {
    let scalars = self.text.unicodeScalars
    guard range.lowerBound >= 0,
      let start = scalars.index(
        scalars.startIndex, offsetBy: range.lowerBound, limitedBy: scalars.endIndex),
      let end = scalars.index(start, offsetBy: range.count, limitedBy: scalars.endIndex)
    else { return false }
    // Joined from pieces, which is much faster than to replace scalars within a long text.
    var whole = String(scalars[..<start])
    whole.reserveCapacity(utf8Count + text.utf8.count)
    whole += text
    whole += String(scalars[end...])
    let cursor = range.lowerBound + text.unicodeScalars.count
    place(whole, selection ?? cursor..<cursor, isEdit: true)
    return true
  }

  /// The app's or the user's own move of the cursor or selection; what is outside the text is moved
  /// inside. The marked text becomes ordinary text.
  public mutating func selectScalars(_ range: Range<Int>) {
    place(text, range, isEdit: false)
  }

  /// Gives up what can be undone: for a copy that is only compared with.
  public mutating func forgetHistory() { history = nil }

  private mutating func place(_ whole: String, _ range: Range<Int>, isEdit: Bool) {
    let start = whole.clusterBoundary(scalars: range.lowerBound)
    let end = range.isEmpty ? start : whole.clusterBoundary(scalars: range.upperBound)
    var placed = TextDocument(String(whole[..<start]))
    placed.selected = String(whole[start..<end])
    placed.after = String(whole[end...])
    guard marked != nil || !hasSamePieces(as: placed) else { return }
    placed.revision = revision + 1
    if isEdit {
      // What the app changes by itself is not the user's to undo.
      placed.history = history.map { _ in EditHistory() }
    } else {
      recordCommit()
      placed.history = history
    }
    self = placed
  }

  /// What has to be replaced in the text of `old` to make this text; nil when they are the same.
  public func replacement(since old: TextDocument) -> (range: Range<Int>, text: String)? {
    var oldText = old.text
    var newText = text
    // Where the same character stands on both sides of the cursor, the change is at the cursor.
    let cursor = min(old.before.utf8.count, before.utf8.count)
    return oldText.withUTF8 { old in
      newText.withUTF8 { new in unsafe Self.difference(old, new, cursor) }
    }
  }

  private static func difference(
    _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, _ cursor: Int
  ) -> (range: Range<Int>, text: String)? {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while unsafe prefix < shorter && old[prefix] == new[prefix] { prefix += 1 }
    if prefix == old.count && prefix == new.count { return nil }
    func suffix(behind prefix: Int) -> Int {
      var length = 0
      while unsafe length < shorter - prefix
        && old[old.count - 1 - length] == new[new.count - 1 - length]
      {
        length += 1
      }
      return length
    }
    let atCursor = min(prefix, cursor)
    var tail = suffix(behind: atCursor)
    if atCursor + tail == shorter { prefix = atCursor } else { tail = suffix(behind: prefix) }
    // Back to the boundary of a scalar.
    while unsafe prefix > 0
      && (prefix < old.count && old[prefix].isContinuation
        || prefix < new.count && new[prefix].isContinuation)
    {
      prefix -= 1
    }
    while unsafe tail > 0 && old[old.count - tail].isContinuation { tail -= 1 }
    let start = unsafe old[..<prefix].count { !$0.isContinuation }
    let length = unsafe old[prefix..<(old.count - tail)].count { !$0.isContinuation }
    return unsafe (
      start..<(start + length), String(decoding: new[prefix..<(new.count - tail)], as: UTF8.self)
    )
  }
}

extension UInt8 {
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}

extension String {
  fileprivate var scalarCount: Int { utf8.count { !$0.isContinuation } }

  /// The end of the cluster that the offset falls into; the text's end for one beyond it, and near a run
  /// so long that nobody is to wait until its end is found.
  fileprivate func clusterBoundary(scalars offset: Int) -> Index {
    guard
      let index = unicodeScalars.index(
        startIndex, offsetBy: Swift.max(offset, 0), limitedBy: endIndex)
    else { return endIndex }
    if isInOverlongRun(index) { return endIndex }
    return Index(index, within: self) ?? self.index(after: index)
  }
}
