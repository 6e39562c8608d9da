import PluginProtocol

/// A keyboard's settings, from its app's settings bundle.
public struct KeyboardSettings: Sendable, Equatable {
  private let settings: [Setting]

  init(_ settings: [Setting] = []) { self.settings = settings }

  /// The keys, in the order of the settings bundle.
  public var keys: [String] { settings.map(\.key) }

  /// The value of a setting, nil when there is none.
  public subscript(_ key: String) -> SettingValue? {
    settings.first { $0.key == key }?.value
  }

  /// The value of a setting that is a string; nil when it is absent or of another type.
  public func string(forKey key: String) -> String? {
    if case .string(let text) = self[key] { text } else { nil }
  }

  /// The value of a setting that is a boolean; nil when it is absent or of another type.
  public func bool(forKey key: String) -> Bool? {
    if case .bool(let flag) = self[key] { flag } else { nil }
  }

  /// The value of a setting that is an integer; nil when it is absent or of another type.
  public func integer(forKey key: String) -> Int64? {
    if case .integer(let number) = self[key] { number } else { nil }
  }

  /// The value of a setting that is a number; nil when it is absent or of another type.
  public func double(forKey key: String) -> Double? {
    switch self[key] {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The value of a setting that is a list; nil when it is absent or of another type.
  public func stringArray(forKey key: String) -> [String]? {
    if case .list(let list) = self[key] { list } else { nil }
  }
}
