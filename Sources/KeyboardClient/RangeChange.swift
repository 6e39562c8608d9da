/// A replacement in a text as to its places alone: how many scalars stand where a range was.
///
/// What is put in stands before what is taken out. Two changes of the same text that did not know
/// of each other are crossed: each becomes what it is in a text in which the other was made, so that
/// both orders lead to the same text. Each takes out what it took out before and nothing else, so
/// what the other puts inside its range stays, and the range falls into two.
struct RangeChange: Sendable, Equatable {
  var range: Range<Int>
  var length: Int

  /// How much longer the text becomes.
  private var growth: Int { length - range.count }

  var isNothing: Bool { range.isEmpty && length == 0 }

  /// What undoes it.
  var reversed: RangeChange {
    RangeChange(range: range.lowerBound..<(range.lowerBound + length), length: range.count)
  }

  /// Crosses an own change with one of the host. At the same place what the host puts in stands
  /// first: a user who types on finds the cursor behind what was typed. But what is put before a
  /// range that the host replaces stays before it.
  ///
  /// - Returns: each in the text that the other has changed, one part behind the other. The first
  ///   part is the one that puts something in, the second only takes out.
  static func cross(
    own: RangeChange, host: RangeChange
  ) -> (own: [RangeChange], host: [RangeChange]) {
    let ownIsFirst =
      own.range.lowerBound < host.range.lowerBound
      || own.range.lowerBound == host.range.lowerBound && own.range.isEmpty && !host.range.isEmpty
    return ownIsFirst
      ? (own.before(host), [host.behind(own)]) : ([own.behind(host)], host.before(own))
  }

  /// Crosses changes that were made one behind the other with some of the host.
  static func cross(
    own: [RangeChange], host: [RangeChange]
  ) -> (own: [RangeChange], host: [RangeChange]) {
    var host = host
    var moved: [RangeChange] = []
    for change in own {
      var parts = [change]
      var next: [RangeChange] = []
      for other in host {
        let crossed =
          parts.count == 1 ? cross(own: parts[0], host: other) : cross(own: parts, host: [other])
        parts = crossed.own
        next += crossed.host.filter { !$0.isNothing }
      }
      // The first part is kept even when nothing is left of it: it is what is confirmed.
      moved += parts.prefix(1) + parts.dropFirst().filter { !$0.isNothing }
      host = next
    }
    return (moved, host)
  }

  /// This change, which puts in before the other does.
  private func before(_ other: RangeChange) -> [RangeChange] {
    let start = range.lowerBound
    let left = start..<min(max(other.range.lowerBound, start), range.upperBound)
    if range.upperBound <= other.range.upperBound {
      return [RangeChange(range: left, length: length)]
    }
    if other.length == 0 {
      // What is left of the range is in one piece.
      return [RangeChange(range: start..<(range.upperBound + other.growth), length: length)]
    }
    let shift = other.growth + length - left.count
    let right = (other.range.upperBound + shift)..<(range.upperBound + shift)
    return [RangeChange(range: left, length: length), RangeChange(range: right, length: 0)]
  }

  /// This change, which puts in behind what the other does.
  private func behind(_ other: RangeChange) -> RangeChange {
    let start = max(range.lowerBound, other.range.upperBound) + other.growth
    return RangeChange(
      range: start..<max(start, range.upperBound + other.growth), length: length)
  }

  /// Where a cursor is afterwards: behind what is put in at its place, before what is replaced
  /// behind it.
  func moved(_ cursor: Int) -> Int {
    if cursor < range.lowerBound || cursor == range.lowerBound && !range.isEmpty { return cursor }
    return max(cursor, range.upperBound) + growth
  }

  /// Where a selection is afterwards. What is put in at either end is no part of it.
  func moved(_ selection: Range<Int>) -> Range<Int> {
    let start = moved(selection.lowerBound)
    if selection.isEmpty { return start..<start }
    let end =
      selection.upperBound <= range.lowerBound ? selection.upperBound : moved(selection.upperBound)
    return start..<max(start, end)
  }
}
