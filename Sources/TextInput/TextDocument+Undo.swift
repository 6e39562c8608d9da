extension TextDocument {
  /// Remembers from now on what is changed, so that it can be undone: at the most 100 steps and
  /// 256 KiB of text. A step is a transaction, a word typed letter by letter, or characters deleted
  /// one behind another.
  public mutating func keepHistory() {
    if history == nil { history = EditHistory() }
  }

  /// Whether there is something to undo.
  public var canUndo: Bool {
    guard let history else { return false }
    return marked != nil || !history.undoable.isEmpty
  }

  /// Whether there is something undone that can be done again.
  public var canRedo: Bool { marked == nil && !(history?.redoable.isEmpty ?? true) }

  /// Undoes the last step and leaves the cursor where it was made. What is being composed is the
  /// last step.
  /// - Returns: whether there was something to undo.
  public mutating func undo() -> Bool {
    if marked != nil {
      history?.begin()
      _ = commit()
      history?.end()
    }
    guard let step = history?.takeUndo() else { return false }
    return change(
      step.reversed().map {
        EditHistory.Change(offset: $0.offset, removed: $0.inserted, inserted: $0.removed)
      })
  }

  /// Does the step again that was undone last.
  /// - Returns: whether there was one.
  public mutating func redo() -> Bool {
    guard marked == nil, let step = history?.takeRedo() else { return false }
    return change(step)
  }

  mutating func record(removed: String, inserted: String) {
    guard history != nil else { return }
    history?.record(
      EditHistory.Change(offset: before.utf8.count, removed: removed, inserted: inserted))
  }

  /// Records what is composed as text, where it becomes text by other means than an edit.
  mutating func recordCommit() {
    guard let text = marked?.text, history != nil else { return }
    history?.begin()
    record(removed: "", inserted: text)
    history?.end()
  }

  private mutating func change(_ step: [EditHistory.Change]) -> Bool {
    for change in step {
      let whole = before + selected + after
      let utf8 = whole.utf8
      guard change.offset + change.removed.utf8.count <= utf8.count else {
        // Cannot be: every change of the text is recorded, or the history begins anew.
        history = EditHistory()
        return false
      }
      let start = utf8.index(utf8.startIndex, offsetBy: change.offset)
      let end = utf8.index(start, offsetBy: change.removed.utf8.count)
      before = String(whole[..<start]) + change.inserted
      selected = ""
      after = String(whole[end...])
      settleCursor()
    }
    revision += 1
    return true
  }
}
