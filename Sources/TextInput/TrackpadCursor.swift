/// Turns the way of a finger over the keys into moves of the cursor.
///
/// What is too short for a step is kept for the next one, so that a slow finger moves the cursor as
/// far as a fast one.
public struct TrackpadCursor: Sendable, Equatable {
  /// How far the finger goes for one grapheme cluster, in points.
  public static let pointsPerCharacter = 9.0
  /// How far the finger goes for one line, in points.
  public static let pointsPerLine = 24.0
  /// The longest way of one move that counts, in points; the rest is dropped.
  public static let longestWay = 4_096.0

  private var x = 0.0
  private var y = 0.0

  /// A finger that has not moved yet.
  public init() {}

  /// The edits for a move of the finger. A line is one that a line break ends: the host does not
  /// know where an app wraps its lines. Left and right are as one sees them (``WritingDirection``).
  /// In the next line the cursor keeps its column where that line is long enough. At the first and the last line of what is seen of the text it stays.
  public mutating func moved(x byX: Double, y byY: Double, in context: ContextWindow) -> [TextEdit]
  {
    x += Self.bounded(byX)
    y += Self.bounded(byY)
    let characters = Self.steps(&x, Self.pointsPerCharacter)
    let lines = Self.steps(&y, Self.pointsPerLine)
    var offset = Self.offset(ofLines: lines, in: context)
    offset += characters * WritingDirection(around: context).stepToTheRight
    return offset == 0 ? [] : [.adjustTextPosition(byCharacterOffset: offset)]
  }

  private static func bounded(_ way: Double) -> Double {
    way.isFinite ? min(max(way, -longestWay), longestWay) : 0
  }

  /// Takes whole steps off a way.
  private static func steps(_ way: inout Double, _ length: Double) -> Int {
    let steps = Int(way / length)
    way -= Double(steps) * length
    return steps
  }

  private static func offset(ofLines lines: Int, in context: ContextWindow) -> Int {
    if lines == 0 { return 0 }
    let before = context.beforeInput.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let after = context.afterInput.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let column = before.last?.count ?? 0
    if lines < 0 {
      let target = max(before.count - 1 + lines, 0)
      if target == before.count - 1 { return 0 }
      let passed = before[target...].reduce(0) { $0 + $1.count } + before.count - 1 - target
      return min(column, before[target].count) - passed
    }
    let target = min(lines, after.count - 1)
    if target <= 0 { return 0 }
    let passed = after[..<target].reduce(0) { $0 + $1.count } + target
    return passed + min(column, after[target].count)
  }
}
