/// One of a keyboard's settings.
public struct Setting: Sendable, Equatable {
  /// The key of the settings bundle.
  public var key: String
  /// The value that holds now.
  public var value: SettingValue

  /// Makes a setting.
  public init(_ key: String, _ value: SettingValue) {
    self.key = key
    self.value = value
  }
}
