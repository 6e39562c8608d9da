/// One point of a stroke drawn on a keyboard's canvas.
public struct StrokePoint: Sendable, Equatable {
  /// Points from the left edge of the canvas.
  public var x: Double
  /// Points from the top edge of the canvas.
  public var y: Double
  /// Milliseconds since the stroke began.
  public var time: Double

  /// Makes a point.
  public init(x: Double, y: Double, time: Double) {
    self.x = x
    self.y = y
    self.time = time
  }
}
