/// What an app says of itself at the beginning.
public struct AppIntroduction: Sendable, Equatable {
  public var protocolVersions: [Int]
  /// What the app calls itself, such as `org.example.notes`. Nobody checks it: it is for the audit
  /// log and for the user.
  public var appIdentifier: String
  /// Whether the app wants to be asked `shouldAllowExtensionPointIdentifier`.
  public var implementsShouldAllowExtensionPoint: Bool
  /// Whether the app draws the keyboard, and so is told what to draw.
  public var presentsKeyboard: Bool
  public var screen: Screen

  public init(
    appIdentifier: String, implementsShouldAllowExtensionPoint: Bool = false,
    presentsKeyboard: Bool = false, screen: Screen = Screen(),
    protocolVersions: [Int] = [AppProtocolLimits.version]
  ) {
    self.appIdentifier = appIdentifier
    self.implementsShouldAllowExtensionPoint = implementsShouldAllowExtensionPoint
    self.presentsKeyboard = presentsKeyboard
    self.screen = screen
    self.protocolVersions = protocolVersions
  }
}
