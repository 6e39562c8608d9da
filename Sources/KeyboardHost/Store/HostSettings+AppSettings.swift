import PluginManifest
import PluginProtocol
import StrictJSON

extension HostSettings {
  func encodeAppSettings(into writer: inout JSONWriter) {
    writer.beginObject()
    for (app, values) in appSettings.sorted(by: { $0.key < $1.key }) {
      writer.key(app)
      writer.beginObject()
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        writer.key(key)
        value.encode(into: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  static func appSettings(
    _ value: JSONValue
  ) throws(JSONError) -> [String: [String: SettingValue]] {
    var found: [String: [String: SettingValue]] = [:]
    for (app, members) in try object(value, "appSettings") {
      var values: [String: SettingValue] = [:]
      for (key, member) in try object(members, app) {
        values[key] = try SettingValue(decoding: member)
      }
      found[app] = values
    }
    return found
  }

  /// What holds of an app's settings: what the user set where the app can use it, and the default
  /// values else. In the order of the settings bundle; a key without either is left out.
  func settings(of app: String, _ schema: SettingsSchema) -> [Setting] {
    schema.specifiers.compactMap { specifier in
      let value = ownValue(specifier, of: app) ?? specifier.defaultValue
      return value.map { Setting(specifier.key, SettingValue($0)) }
    }
  }

  /// What the user set, if the app can use it.
  func ownValue(_ specifier: SettingSpecifier, of app: String) -> SettingDefault.Value? {
    guard let stored = appSettings[app]?[specifier.key] else { return nil }
    let value = SettingDefault.Value(stored)
    return specifier.accepts(value) ? value : nil
  }

  /// Forgets what the user set and an app cannot use.
  /// - Returns: the keys, sorted.
  mutating func dropUnusableSettings(of app: String, _ schema: SettingsSchema) -> [String] {
    guard let values = appSettings[app] else { return [] }
    let usable = values.filter { key, value in
      schema[key]?.accepts(SettingDefault.Value(value)) ?? false
    }
    appSettings[app] = usable.isEmpty ? nil : usable
    return values.keys.filter { usable[$0] == nil }.sorted()
  }
}

extension SettingValue {
  init(_ value: SettingDefault.Value) {
    switch value {
    case .string(let text): self = .string(text)
    case .boolean(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .list(let items): self = .list(items)
    }
  }
}

extension SettingDefault.Value {
  init(_ value: SettingValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .bool(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .list(let items): self = .list(items)
    }
  }
}
