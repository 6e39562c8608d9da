import KeyboardHost

/// A keyboard of the user's list, as the playground shows it.
public struct PlayKeyboard: Sendable, Equatable {
  public var identifier: String
  /// Its own words: escaped where it is drawn.
  public var name: String
  public var hasOpenAccess: Bool
  /// Whether it may serve the field that has focus, and why not.
  public var decision: Decision
  /// Whether it is the one that is chosen for the field that has focus.
  public var isChosen: Bool

  /// So much of the name that the host's own words beside it are always seen, in characters.
  static let shownCharacters = 24

  /// The name as it stands beside words of the host.
  public var shortName: String { name(of: Self.shownCharacters) }

  func name(of characters: Int) -> String {
    name.count > characters ? name.prefix(characters - 1) + "…" : name
  }

  public init(
    identifier: String, name: String, hasOpenAccess: Bool,
    decision: Decision = Decision(reasons: []), isChosen: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.hasOpenAccess = hasOpenAccess
    self.decision = decision
    self.isChosen = isChosen
  }

  var isSystem: Bool { identifier == HostSettings.systemKeyboard }
}
