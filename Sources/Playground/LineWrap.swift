/// Text cut into lines at its spaces, by the columns that it takes on a terminal.
enum LineWrap {
  /// - Parameters:
  ///   - width: the columns of a line.
  ///   - most: so many lines at most. What does not fit is left out by whole words, with a `…` at the
  ///     end; a word that is wider than a line is cut.
  static func lines(_ text: String, width: Int, most: Int = .max) -> [String] {
    guard width > 0, most > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    var isBegun = false
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = isBegun ? line + " " + word : String(word)
      if columns(longer) <= width {
        line = longer
      } else {
        if isBegun { lines.append(line) }
        line = String(word)
        while columns(line) > width {
          let head = prefix(of: line, width: width)
          guard !head.isEmpty else { break }
          lines.append(head)
          line.removeFirst(head.count)
        }
      }
      isBegun = true
    }
    lines.append(line)
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + [shortened(lines[most - 1], width: width)]
  }

  /// A line that goes on where nobody sees it.
  private static func shortened(_ line: String, width: Int) -> String {
    var kept = line[...]
    while columns(kept + " …") > width, let space = kept.lastIndex(of: " ") {
      kept = kept[..<space]
    }
    return columns(kept + " …") <= width ? kept + " …" : prefix(of: line, width: width - 1) + "…"
  }

  private static func prefix(of text: String, width: Int) -> String {
    var kept = ""
    var used = 0
    for character in text {
      used += columns(String(character))
      guard used <= width else { break }
      kept.append(character)
    }
    return kept
  }

  static func columns(_ text: some StringProtocol) -> Int {
    Cell.cells(of: String(text)).reduce(0) { $0 + $1.width }
  }
}
