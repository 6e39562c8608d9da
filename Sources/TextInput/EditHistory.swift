/// What edits changed, newest last, so that they can be undone and done again.
///
/// The edits of one transaction are undone together, and so are letters typed one behind another up
/// to the next word, and characters deleted one behind another.
struct EditHistory: Sendable, Equatable {
  /// The most steps that are kept.
  static let maximumSteps = 100
  /// The most text that is kept, in bytes of UTF-8. Older steps go first.
  static let maximumBytes = 1 << 18

  struct Change: Sendable, Equatable {
    /// Where the change begins, in bytes of UTF-8 of the whole text without marked text.
    var offset: Int
    var removed: String
    var inserted: String
    var bytes: Int { removed.utf8.count + inserted.utf8.count }
  }

  private(set) var undoable: [[Change]] = []
  private(set) var redoable: [[Change]] = []
  private var bytes = 0
  private var current: [Change] = []

  mutating func begin() { current = [] }

  mutating func record(_ change: Change) {
    if change.bytes > 0 { current.append(change) }
  }

  mutating func end() {
    guard !current.isEmpty else { return }
    let step = current
    current = []
    for change in redoable.joined() { bytes -= change.bytes }
    redoable = []
    for change in step { bytes += change.bytes }
    if step.count == 1, undoable.last?.count == 1, let last = undoable.last?[0],
      let merged = Self.merged(last, step[0])
    {
      undoable[undoable.count - 1] = [merged]
    } else {
      undoable.append(step)
    }
    trim()
  }

  private mutating func trim() {
    while undoable.count > Self.maximumSteps || bytes > Self.maximumBytes, !undoable.isEmpty {
      for change in undoable.removeFirst() { bytes -= change.bytes }
    }
  }

  private static func merged(_ first: Change, _ second: Change) -> Change? {
    if first.removed.isEmpty, second.removed.isEmpty,
      second.offset == first.offset + first.inserted.utf8.count,
      !(first.inserted.last?.isWhitespace ?? true)
        || second.inserted.first?.isWhitespace ?? true
    {
      return Change(offset: first.offset, removed: "", inserted: first.inserted + second.inserted)
    }
    if first.inserted.isEmpty, second.inserted.isEmpty,
      second.offset + second.removed.utf8.count == first.offset
    {
      return Change(offset: second.offset, removed: second.removed + first.removed, inserted: "")
    }
    return nil
  }

  /// Takes the newest step; it can be done again then.
  mutating func takeUndo() -> [Change]? {
    guard let step = undoable.popLast() else { return nil }
    redoable.append(step)
    return step
  }

  /// Takes the step that was undone last; it can be undone again then.
  mutating func takeRedo() -> [Change]? {
    guard let step = redoable.popLast() else { return nil }
    undoable.append(step)
    return step
  }
}
