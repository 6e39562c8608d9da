/// Finds what somebody probably meant to type.
public enum NearName {
  /// The name with the fewest slips from the word: letters added, left out, changed or swapped
  /// with their neighbour. Nil when even that takes more than a third of the letters.
  public static func nearest(to word: String, among names: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    return
      names
      .map { (name: $0, distance: distance(Array(word.lowercased()), Array($0.lowercased()))) }
      .filter { $0.distance <= max(1, max(word.count, $0.name.count) / 3) }
      .min { $0.distance < $1.distance }?.name
  }

  /// The optimal string alignment distance.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
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
