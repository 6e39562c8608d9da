/// Finds what somebody probably meant by a misspelled name.
public enum NearName {
  /// Longer words are nobody's misspelling.
  private static let longest = 64

  /// The name with the fewest slips from the word: letters added, left out, changed or swapped
  /// with their neighbour, whatever the case; of equally near ones the first in alphabetical order.
  ///
  /// - Returns: nil when even that takes more than three slips, or more than one for each three
  ///   letters of a short word.
  public static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().utf8)
    guard wanted.count <= longest else { return nil }
    var best: (distance: Int, name: String)?
    for name in names {
      let other = Array(name.lowercased().utf8)
      let limit = max(1, min(3, max(wanted.count, other.count) / 3))
      guard abs(other.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, other)
      guard distance <= limit else { continue }
      if let best, (best.distance, best.name) <= (distance, name) { continue }
      best = (distance, name)
    }
    return best?.name
  }

  /// The optimal string alignment distance.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var best = min(last[column + 1] + 1, current[column] + 1)
        best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
