/// An edit of the app's own that the host has not confirmed. Offsets are in Unicode scalars.
struct PendingEdit: Sendable, Equatable {
  var range: Range<Int>
  /// Nil for a selection alone.
  var text: String?
  var selection: Range<Int>?
  /// Which of the app's edits it is a part of: a part that is refused takes the others along. In the
  /// group 0 each is by itself.
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

  /// What undoes it in a text that is `text` before it; nil where that is nothing.
  func undoing(in text: [Unicode.Scalar]) -> PendingEdit? {
    guard let change, !change.isNothing else { return nil }
    return PendingEdit(
      range: change.reversed.range, text: String(scalars: text[change.range]), selection: nil)
  }

  /// The same in pieces of at most so many scalars.
  func pieces(ofAtMost chunk: Int) -> [PendingEdit] {
    let scalars = Array((text ?? "").unicodeScalars)
    var range = range
    var pieces: [PendingEdit] = []
    var start = 0
    repeat {
      let end = min(start + chunk, scalars.count)
      pieces.append(
        PendingEdit(
          range: range, text: String(scalars: scalars[start..<end]), selection: nil, group: group))
      range = (range.lowerBound + end - start)..<(range.lowerBound + end - start)
      start = end
    } while start < scalars.count
    pieces[pieces.count - 1].selection = selection
    return pieces
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

extension String {
  init(scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
