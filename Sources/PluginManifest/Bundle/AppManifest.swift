/// What a containing app's `Info.plist` says, with the keyboards the app contains, checked.
public struct AppManifest: Sendable, Equatable {
  /// `CFBundleIdentifier`.
  public var identifier: String
  /// `CFBundleDisplayName`, or `CFBundleName`, or the bundle's name.
  public var displayName: String
  /// `CFBundleShortVersionString`.
  public var version: String
  /// The app's keyboards, in the order of their bundles' file names. Never empty.
  public var keyboards: [KeyboardManifest]
  /// What `Settings.bundle` declares; empty without one.
  public var settings: SettingsSchema

  public init(
    identifier: String, displayName: String, version: String, keyboards: [KeyboardManifest],
    settings: SettingsSchema = SettingsSchema()
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.version = version
    self.keyboards = keyboards
    self.settings = settings
  }
}
