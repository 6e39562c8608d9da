/// A keyboard as the user's list shows it.
public struct ListedKeyboard: Sendable, Equatable {
  public var identifier: String
  /// Nil when it is not installed.
  public var displayName: String?
  /// The app it came with; nil for the host's own keyboard.
  public var app: String?
  /// Whether it is in the list of keyboards that are used.
  public var isEnabled: Bool
  public var isInstalled: Bool
  /// Why it cannot be used although its app is there; nil when it can, or is not installed.
  public var damage: String?
  public var requestsOpenAccess: Bool
  public var hasOpenAccess: Bool
  /// With open access: what the user opened beside the public addresses, as `ADDRESS:PORT`.
  public var allowedHosts: [String] = []
  /// With open access: the services that the user granted.
  public var services: [String] = []
}
