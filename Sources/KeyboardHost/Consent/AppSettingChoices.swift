import PluginManifest
import PluginProtocol
import TerminalText

/// The user's values for the settings that an app's settings bundle declares. They are the app's: all
/// its keyboards get them.
///
/// They are not recorded in the audit log: they give nobody a right, and may be secrets.
public struct AppSettingChoices: Sendable {
  private let registry: AppRegistry
  private var settings: SettingsStore { registry.settings }

  public init(paths: HostPaths) { registry = AppRegistry(paths: paths) }

  /// The app of an id, which may be its own or that of one of its keyboards.
  public func app(_ identifier: String) throws(StoreError) -> AppManifest {
    let listing = try registry.list()
    let found = listing.apps.map(\.manifest).first { app in
      app.identifier == identifier || app.keyboards.contains { $0.identifier == identifier }
    }
    if let found { return found }
    let shown = VisibleText.escape(identifier, limit: 160)
    if let fault = listing.faults.first(where: { $0.app == identifier })
      ?? listing.fault(ofKeyboard: identifier)
    {
      throw StoreError(.refused, "the settings of `\(shown)` cannot be used: \(fault.story)")
    }
    throw StoreError(
      .refused,
      "neither an app nor a keyboard `\(shown)` is installed: `keyhost apps list` shows those that "
        + "are, and the host's own keyboard is `system`")
  }

  /// All settings of an app, in the order of its settings bundle.
  public func list(_ app: AppManifest) throws(StoreError) -> [AppSetting] {
    let choices = try settings.load()
    return app.settings.specifiers.map { specifier in
      let own = choices.ownValue(specifier, of: app.identifier)
      return AppSetting(
        specifier: specifier, value: own ?? specifier.defaultValue, isOwn: own != nil)
    }
  }

  /// Keys of values that were set and that the app cannot use: their defaults hold.
  public func unusable(_ app: AppManifest) throws(StoreError) -> [String] {
    var choices = try settings.load()
    return choices.dropUnusableSettings(of: app.identifier, app.settings)
  }

  /// The setting of a key.
  public static func setting(
    _ key: String, of app: AppManifest
  ) throws(StoreError) -> SettingSpecifier {
    if let specifier = app.settings[key] { return specifier }
    throw StoreError(
      .wrongUse,
      "`\(app.identifier)` has no setting `\(VisibleText.escape(key, limit: 60))`: "
        + "`keyhost settings \(app.identifier)` shows those it has")
  }

  /// Sets a setting to the value that a word says.
  public func set(
    _ key: String, of app: AppManifest, to text: String, log: AuditLog
  ) throws(StoreError) {
    let specifier = try Self.setting(key, of: app)
    let shown = VisibleText.escape(key, limit: 60)
    guard !specifier.isReadOnly else {
      throw StoreError(.refused, "`\(shown)` is only shown: its app sets it")
    }
    guard let value = specifier.value(of: text) else {
      let given =
        specifier.isSecure ? "what was given" : "`\(VisibleText.escape(text, limit: 60))`"
      var values = specifier.values
      if case .text = specifier.kind {
        values += " of at most \(SettingSpecifier.textBytes) bytes, without NUL"
      }
      throw StoreError(.wrongUse, "\(given) is no value of `\(shown)`, which is \(values)")
    }
    try settings.update(log: log) { (settings) throws(StoreError) in
      settings.appSettings[app.identifier, default: [:]][key] = SettingValue(value)
      guard settings.settings(of: app.identifier, app.settings).fitIntoMessage else {
        throw StoreError(
          .refused,
          "with it the settings of `\(app.identifier)` have more than "
            + "\(ProtocolLimits.settingsBytes) bytes together, and could not be given to its "
            + "keyboards")
      }
      return PlannedChange(result: ())
    }
  }

  /// Forgets the user's value of one setting, or of all: the app's default holds again.
  public func reset(_ key: String?, of app: AppManifest, log: AuditLog) throws(StoreError) {
    if let key { _ = try Self.setting(key, of: app) }
    try settings.update(log: log) { (settings) throws(StoreError) in
      if let key {
        settings.appSettings[app.identifier]?[key] = nil
        if settings.appSettings[app.identifier]?.isEmpty == true {
          settings.appSettings[app.identifier] = nil
        }
      } else {
        settings.appSettings[app.identifier] = nil
      }
      return PlannedChange(result: ())
    }
  }
}
