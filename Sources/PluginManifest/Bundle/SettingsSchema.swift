/// What `Settings.bundle` declares: the preferences, in the order in which people see them, and what
/// of it could not be used.
public struct SettingsSchema: Sendable, Equatable {
  public var specifiers: [SettingSpecifier] = []
  /// Each with the file and the place in it. What is at fault is left out; the rest is used.
  public var faults: [BundleError] = []

  public init() {}

  public subscript(_ key: String) -> SettingSpecifier? { specifiers.first { $0.key == key } }

  /// The values at first.
  public var defaults: [SettingDefault] {
    specifiers.compactMap { specifier in
      specifier.defaultValue.map { SettingDefault(key: specifier.key, value: $0) }
    }
  }
}
