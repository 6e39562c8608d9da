import TextInput

/// Where the keys of a layout are drawn within a frame's width.
struct KeyGrid: Equatable {
  struct Place: Equatable {
    var key: Key
    /// From the frame's left edge.
    var column: Int
    var width: Int
  }

  /// The rows of the layout; each fills the width, in proportion to its keys.
  let rows: [[Place]]

  init(_ layout: KeyboardLayout, width: Int) {
    rows = layout.rows.map { row in
      let units = row.reduce(0) { $0 + $1.width }
      var passed = 0.0
      return row.map { key in
        let start = Int(passed / units * Double(width))
        passed += key.width
        let end = Int(passed / units * Double(width))
        // A column between the keys, where there is one to spare.
        return Place(
          key: key, column: start, width: max(end - start - (end - start > 2 ? 1 : 0), 0))
      }
    }
  }

  /// The key of a row that stands under a column of the frame.
  func index(in row: Int, at column: Int) -> Int {
    let places = rows[row]
    return places.lastIndex { $0.column <= column } ?? 0
  }

  /// The middle of a key.
  func middle(_ row: Int, _ index: Int) -> Int {
    rows[row][index].column + rows[row][index].width / 2
  }
}
