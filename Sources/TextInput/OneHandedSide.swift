/// Whether the keys are made narrow for one hand, and at which side of the screen they stand.
public enum OneHandedSide: String, Sendable, Equatable, Hashable, CaseIterable {
  case off
  case left
  case right
}
