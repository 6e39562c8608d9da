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
  /// The default values in `Settings.bundle/Root.plist`, in its order; empty without one.
  public var settingsDefaults: [SettingDefault]

  public init(
    identifier: String, displayName: String, version: String, keyboards: [KeyboardManifest],
    settingsDefaults: [SettingDefault] = []
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.version = version
    self.keyboards = keyboards
    self.settingsDefaults = settingsDefaults
  }
}
