/// How large a canvas is, in cells.
public struct CanvasSize: Sendable, Equatable {
  public var rows: Int
  public var columns: Int

  /// Negative sizes count as none.
  public init(rows: Int, columns: Int) {
    self.rows = max(rows, 0)
    self.columns = max(columns, 0)
  }
}
