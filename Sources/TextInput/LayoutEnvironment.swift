/// Where a keyboard is shown; its layout may differ with it.
public struct LayoutEnvironment: Sendable, Equatable {
  /// Which way the screen is held.
  public enum Orientation: String, Sendable, Equatable, CaseIterable {
    case portrait
    case landscape
  }

  /// Which way the screen is held.
  public var orientation: Orientation
  /// The width of the keyboard's frame, in points.
  public var width: Int

  /// Makes an environment.
  public init(orientation: Orientation = .portrait, width: Int = 375) {
    self.orientation = orientation
    self.width = width
  }
}
