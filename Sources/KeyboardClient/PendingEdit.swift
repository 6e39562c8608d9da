/// An edit of the app's own that the host has not confirmed. Offsets are in Unicode scalars.
struct PendingEdit: Sendable, Equatable {
  var range: Range<Int>
  /// Nil for a selection alone.
  var text: String?
  var selection: Range<Int>?
  /// Which of the app's edits it is a part of: a part that is refused takes the others along.
  var group: UInt64 = 0

  /// Where the cursor or selection is after it.
  var selectionAfter: Range<Int> {
    if let selection { return selection }
    let end = range.lowerBound + (text?.unicodeScalars.count ?? 0)
    return end..<end
  }

  /// What it does to places; nil for a selection alone.
  var change: RangeChange? {
    text.map { RangeChange(range: range, length: $0.unicodeScalars.count) }
  }

  func apply(to scalars: inout [Unicode.Scalar]) {
    guard let text else { return }
    scalars.replaceSubrange(range, with: text.unicodeScalars)
  }

  /// The same edit in a text that the host has changed, in parts when what the host put in stands
  /// within the range. `host` becomes the host's changes behind the edit.
  func crossed(with host: inout [RangeChange]) -> [PendingEdit] {
    var parts = [self]
    if let text, let change {
      let crossed = RangeChange.cross(own: [change], host: host)
      parts = crossed.own.enumerated().map { index, part in
        PendingEdit(
          range: part.range, text: index == 0 ? text : "", selection: nil, group: group)
      }
      host = crossed.host
    }
    if selection != nil || parts.count > 1 {
      parts[parts.count - 1].selection = host.reduce(selectionAfter) { $1.moved($0) }
    }
    return parts
  }
}
