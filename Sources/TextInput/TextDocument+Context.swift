extension TextDocument {
  /// What a keyboard sees: the text around the cursor, cut at grapheme clusters.
  ///
  /// Costs no more for a long text than for a short one: only the windows are copied.
  public func context() -> ContextWindow {
    let limit = ContextWindow.maximumBytes
    let head = before.clusterSuffix(ofAtMost: limit)
    let tail = after.clusterPrefix(ofAtMost: limit)
    let middle = selected.clusterPrefix(ofAtMost: limit)
    return ContextWindow(
      beforeInput: head.text, afterInput: tail.text,
      selectedText: selected.isEmpty || marked != nil ? nil : middle.text,
      markedText: marked?.text, isTruncatedBefore: head.isCut, isTruncatedAfter: tail.isCut,
      isTruncatedSelection: middle.isCut && marked == nil)
  }
}

extension ContextWindow {
  /// The window with each text cut to ``maximumBytes``.
  public var bounded: ContextWindow {
    let limit = Self.maximumBytes
    if beforeInput.utf8.count <= limit && afterInput.utf8.count <= limit
      && (selectedText?.utf8.count ?? 0) <= limit && (markedText?.utf8.count ?? 0) <= limit
    {
      return self
    }
    let head = beforeInput.clusterSuffix(ofAtMost: limit)
    let tail = afterInput.clusterPrefix(ofAtMost: limit)
    let middle = selectedText?.clusterPrefix(ofAtMost: limit)
    return ContextWindow(
      beforeInput: head.text, afterInput: tail.text, selectedText: middle?.text,
      markedText: markedText?.clusterPrefix(ofAtMost: limit).text,
      isTruncatedBefore: isTruncatedBefore || head.isCut,
      isTruncatedAfter: isTruncatedAfter || tail.isCut,
      isTruncatedSelection: isTruncatedSelection || middle?.isCut == true)
  }
}

extension String {
  /// The last whole clusters that have no more than that many bytes together.
  func clusterSuffix(ofAtMost bytes: Int) -> (text: String, isCut: Bool) {
    if utf8.count <= bytes { return (self, false) }
    let cut = utf8.index(endIndex, offsetBy: -bytes)
    if isInOverlongRun(atByte: cut) { return ("", true) }
    // index(after:) first rounds down to the cluster that an index is in.
    let start = Index(cut, within: self) ?? index(after: cut)
    return (String(self[start...]), true)
  }

  /// The first whole clusters that have no more than that many bytes together.
  func clusterPrefix(ofAtMost bytes: Int) -> (text: String, isCut: Bool) {
    if utf8.count <= bytes { return (self, false) }
    let cut = utf8.index(startIndex, offsetBy: bytes)
    if isInOverlongRun(atByte: cut) { return ("", true) }
    let end = Index(cut, within: self) ?? index(before: index(after: cut))
    return (String(self[..<end]), true)
  }

  /// Whether the byte is in a run of which nobody is to wait until an end is found: then there is no place
  /// to cut.
  private func isInOverlongRun(atByte index: Index) -> Bool {
    isInOverlongRun(Index(index, within: unicodeScalars) ?? unicodeScalars.index(after: index))
  }
}
