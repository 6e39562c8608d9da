/// The way a finger went over the keys.
public enum SwipeDirection: String, Sendable, Equatable, Hashable, CaseIterable {
  case left
  case right
  case up
  case down
}
