/// Finds what somebody probably meant by a misspelled name.
enum NearestName {
  /// The candidate with the fewest edits, if those are few for its length; of equal ones the
  /// first in alphabetical order.
  static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.utf8)
    guard wanted.count <= 64 else { return nil }
    let limit = max(1, min(3, wanted.count / 3))
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let other = Array(candidate.utf8)
      guard abs(other.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, other)
      guard distance <= limit else { continue }
      if let current = best, (current.distance, current.name) <= (distance, candidate) { continue }
      best = (distance, candidate)
    }
    return best?.name
  }

  /// Levenshtein's distance.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (i, byte) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let substitution = diagonal + (byte == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
