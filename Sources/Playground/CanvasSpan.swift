/// Some columns of one row, counted from 0.
public struct CanvasSpan: Sendable, Equatable {
  public var row: Int
  public var column: Int
  public var width: Int

  public init(row: Int, column: Int, width: Int) {
    self.row = row
    self.column = column
    self.width = max(width, 0)
  }

  func contains(row: Int, column: Int) -> Bool {
    row == self.row && column >= self.column && column < self.column + width
  }
}
