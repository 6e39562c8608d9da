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
  /// Whether the system keyboard's keys are narrow, and at which side of the frame. A keyboard of
  /// another's is not told: its frame is its own.
  public var oneHanded: OneHandedSide

  /// Makes an environment.
  public init(
    orientation: Orientation = .portrait, width: Int = 375, oneHanded: OneHandedSide = .off
  ) {
    self.orientation = orientation
    self.width = width
    self.oneHanded = oneHanded
  }

  /// Where in the frame the system keyboard's keys stand, in points from its left edge: all of it,
  /// or four fifths at one side. A screen held across has no narrow keys.
  public var keySpan: Range<Int> {
    let all = max(width, 0)
    let narrow = all - all / 5
    switch orientation == .portrait ? oneHanded : .off {
    case .off: return 0..<all
    case .left: return 0..<narrow
    case .right: return (all - narrow)..<all
    }
  }
}
