import TextInput

/// The first message to a keyboard: who it is and what it has. Nothing about any field is in it.
public struct InitializeRequest: Sendable, Equatable {
  /// The versions of the protocol that the host speaks.
  public var protocolVersions: [Int]
  /// The version of the host, for the keyboard's own log.
  public var hostVersion: String
  /// The keyboard's bundle identifier.
  public var keyboardIdentifier: String
  /// The language of the keyboard, as its manifest says.
  public var primaryLanguage: String?
  /// Whether the user granted open access.
  public var hasFullAccess: Bool
  /// Whether the keyboard has to offer a way to the next keyboard itself.
  public var needsInputModeSwitchKey: Bool
  /// The keyboard's settings.
  public var settings: [Setting]
  /// Where the keyboard will be shown.
  public var environment: LayoutEnvironment

  /// Makes a request.
  public init(
    protocolVersions: [Int] = [1], hostVersion: String, keyboardIdentifier: String,
    primaryLanguage: String? = nil, hasFullAccess: Bool = false,
    needsInputModeSwitchKey: Bool = false, settings: [Setting] = [],
    environment: LayoutEnvironment = LayoutEnvironment()
  ) {
    self.protocolVersions = protocolVersions
    self.hostVersion = hostVersion
    self.keyboardIdentifier = keyboardIdentifier
    self.primaryLanguage = primaryLanguage
    self.hasFullAccess = hasFullAccess
    self.needsInputModeSwitchKey = needsInputModeSwitchKey
    self.settings = settings
    self.environment = environment
  }
}
