/// A keyboard of the user's list, as the playground shows it.
public struct PlayKeyboard: Sendable, Equatable {
  public var identifier: String
  /// Its own words: escaped where it is drawn.
  public var name: String
  public var hasOpenAccess: Bool

  /// So much of the name that the host's own words beside it are always seen, in characters.
  static let shownCharacters = 24

  /// The name as it stands beside words of the host.
  public var shortName: String {
    name.count > Self.shownCharacters ? name.prefix(Self.shownCharacters - 1) + "…" : name
  }

  public init(identifier: String, name: String, hasOpenAccess: Bool) {
    self.identifier = identifier
    self.name = name
    self.hasOpenAccess = hasOpenAccess
  }
}
