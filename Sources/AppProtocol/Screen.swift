import TextInput

/// The screen that a keyboard is shown on, in points. Its origin is the upper left corner.
public struct Screen: Sendable, Equatable {
  public var width: Int
  public var height: Int
  public var orientation: LayoutEnvironment.Orientation

  /// A screen of 375 by 667 points, held upright, unless said otherwise.
  public init(
    width: Int = 375, height: Int = 667, orientation: LayoutEnvironment.Orientation = .portrait
  ) {
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// What a keyboard is told of it.
  public var environment: LayoutEnvironment {
    LayoutEnvironment(orientation: orientation, width: width)
  }
}
