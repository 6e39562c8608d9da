/// A keyboard of the user's list, as the playground shows it.
public struct PlayKeyboard: Sendable, Equatable {
  public var identifier: String
  /// Its own words: escaped where it is drawn.
  public var name: String
  public var hasOpenAccess: Bool

  public init(identifier: String, name: String, hasOpenAccess: Bool) {
    self.identifier = identifier
    self.name = name
    self.hasOpenAccess = hasOpenAccess
  }
}
