extension TextDocument {
  // Each edit tells whether it changed anything.

  mutating func insert(_ text: String) -> Bool {
    if text.isEmpty && selected.isEmpty && marked == nil { return false }
    record(removed: marked == nil ? selected : "", inserted: text)
    marked = nil
    selected = ""
    before += text
    work += text.utf8.count / 64
    settleCursor()
    return true
  }

  mutating func deleteBackward() -> Bool {
    if marked != nil { return deleteBackwardInMarkedText() }
    if !selected.isEmpty {
      record(removed: selected, inserted: "")
      selected = ""
    } else if !before.isEmpty {
      let length = before.utf8.count
      let removed = before.removeLast()
      work += length - before.utf8.count
      if history != nil { record(removed: String(removed), inserted: "") }
    } else {
      return false
    }
    settleCursor()
    return true
  }

  private mutating func deleteBackwardInMarkedText() -> Bool {
    guard let old = marked else { return false }
    var range = old.selectedRange
    if range.isEmpty {
      guard range.lowerBound > 0 else { return false }
      range = (range.lowerBound - 1)..<range.upperBound
    }
    var text = old.text
    let start = text.index(text.startIndex, offsetBy: range.lowerBound)
    let end = text.index(start, offsetBy: range.count)
    text.removeSubrange(start..<end)
    let cursor = min(range.lowerBound, text.count)
    marked = text.isEmpty ? nil : MarkedText(text: text, selectedRange: cursor..<cursor)
    return true
  }

  /// Moves the cursor from the end of the selection it goes away from.
  mutating func move(by offset: Int) -> Bool {
    var changed = commit()
    if !selected.isEmpty {
      if offset < 0 { after = selected + after } else { before += selected }
      selected = ""
      changed = true
    }
    if offset < 0, !before.isEmpty {
      let distance = max(offset, -before.utf8.count)
      let target =
        before.index(before.endIndex, offsetBy: distance, limitedBy: before.startIndex)
        ?? before.startIndex
      work += before[target...].utf8.count + after.utf8.count / 64
      after = before[target...] + after
      before.removeSubrange(target...)
      changed = true
    } else if offset > 0, !after.isEmpty {
      let distance = min(offset, after.utf8.count)
      let target =
        after.index(after.startIndex, offsetBy: distance, limitedBy: after.endIndex)
        ?? after.endIndex
      work += after[..<target].utf8.count + after.utf8.count / 64
      before += after[..<target]
      after.removeSubrange(..<target)
      changed = true
    }
    return changed
  }

  mutating func mark(_ text: String, _ range: Range<Int>) -> Bool {
    let new = text.isEmpty ? nil : MarkedText(text: text, selectedRange: range)
    if selected.isEmpty && new == marked { return false }
    if !selected.isEmpty {
      record(removed: selected, inserted: "")
      selected = ""
      settleCursor()
    }
    marked = new
    return true
  }

  mutating func commit() -> Bool {
    guard let text = marked?.text else { return false }
    record(removed: "", inserted: text)
    marked = nil
    before += text
    settleCursor()
    return true
  }

  /// Moves the cursor to the end of the cluster it stands in, after an edit at the cursor.
  mutating func settleCursor() {
    guard let left = before.utf8.last, let right = after.utf8.first else { return }
    // Two ASCII characters always have a boundary between them, but for CR LF (rule GB3).
    if left < 0x80 && right < 0x80 && !(left == 0x0D && right == 0x0A) { return }

    // Whether a boundary is one depends on the cluster before it and the scalar after it only, so
    // the cluster that ends at the cursor is grown until it ends before what it was grown by.
    guard let last = before.last else { return }
    var joined = String(last)
    defer { work += joined.utf8.count }
    let length = joined.utf8.count
    var taken = after.startIndex
    while taken < after.endIndex {
      let next = after.index(after: taken)
      joined += after[taken..<next]
      taken = next
      let end = joined.index(after: joined.startIndex)
      guard end < joined.endIndex else { continue }
      moveFromAfter(bytes: joined.utf8.distance(from: joined.startIndex, to: end) - length)
      return
    }
    moveFromAfter(bytes: joined.utf8.count - length)
  }

  private mutating func moveFromAfter(bytes: Int) {
    guard bytes > 0 else { return }
    let end = after.utf8.index(after.startIndex, offsetBy: bytes)
    before.unicodeScalars.append(contentsOf: after.unicodeScalars[..<end])
    after.unicodeScalars.removeSubrange(..<end)
  }
}
