import PluginManifest

/// A setting of an app's settings bundle with the value that holds.
public struct AppSetting: Sendable, Equatable {
  public var specifier: SettingSpecifier
  /// Nil when neither the user nor the app gave one.
  public var value: SettingDefault.Value?
  /// Whether the user set it.
  public var isOwn: Bool
}
