/// How far two words are apart.
enum EditDistance {
  /// The fewest changes that make one word of the other, where a change is a character more, less or
  /// another, or two neighbours that change places, and no part is changed twice (the "optimal string
  /// alignment" distance). Nil when it is more than `limit`.
  static func between(_ one: [Character], _ other: [Character], limit: Int) -> Int? {
    guard abs(one.count - other.count) <= limit else { return nil }
    var previous: [Int] = []
    var row = Array(0...other.count)
    for i in 0..<one.count {
      let beforePrevious = previous
      previous = row
      row[0] = i + 1
      for j in 0..<other.count {
        let replaced = previous[j] + (one[i] == other[j] ? 0 : 1)
        row[j + 1] = min(replaced, previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          row[j + 1] = min(row[j + 1], beforePrevious[j - 1] + 1)
        }
      }
      if row.min() ?? 0 > limit { return nil }
    }
    return row[other.count] <= limit ? row[other.count] : nil
  }
}
