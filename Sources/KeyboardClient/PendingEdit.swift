/// An edit of the app's own that the host has not confirmed. Offsets are in Unicode scalars.
struct PendingEdit: Sendable, Equatable {
  var range: Range<Int>
  /// Nil for a selection alone.
  var text: String?
  var selection: Range<Int>?

  /// Where the cursor or selection is after it.
  var selectionAfter: Range<Int> {
    if let selection { return selection }
    let end = range.lowerBound + (text?.unicodeScalars.count ?? 0)
    return end..<end
  }

  func apply(to scalars: inout [Unicode.Scalar]) {
    guard let text else { return }
    scalars.replaceSubrange(range.clamped(to: 0..<scalars.count), with: text.unicodeScalars)
  }

  /// The same edit, in a text in which a range was replaced by so many scalars.
  func moved(over replaced: Range<Int>, length: Int) -> PendingEdit {
    func move(_ offset: Int) -> Int {
      if offset <= replaced.lowerBound { return offset }
      return offset >= replaced.upperBound
        ? offset + length - replaced.count : replaced.lowerBound + length
    }
    func move(_ range: Range<Int>) -> Range<Int> {
      let start = move(range.lowerBound)
      return start..<max(start, move(range.upperBound))
    }
    var result = self
    result.range = move(range)
    if let selection {
      if text == nil {
        result.selection = move(selection)
      } else {
        let shift = result.range.lowerBound - range.lowerBound
        result.selection = (selection.lowerBound + shift)..<(selection.upperBound + shift)
      }
    }
    return result
  }
}
