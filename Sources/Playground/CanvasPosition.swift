/// A place on a canvas, counted from 0.
public struct CanvasPosition: Sendable, Equatable {
  public var row: Int
  public var column: Int

  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}
