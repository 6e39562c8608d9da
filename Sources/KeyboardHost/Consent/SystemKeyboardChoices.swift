import TerminalText
import TextInput

/// The user's settings of the system keyboard.
///
/// They are not recorded in the audit log: they give nobody a right.
public struct SystemKeyboardChoices: Sendable {
  private let settings: SettingsStore

  public init(paths: HostPaths) { settings = SettingsStore(paths: paths) }

  public func current() throws(StoreError) -> SystemKeyboardSettings {
    try settings.load().typing
  }

  /// The setting of a name.
  public static func setting(named name: String) throws(StoreError) -> SystemKeyboardSetting {
    guard let setting = SystemKeyboardSetting(rawValue: name) else {
      throw StoreError(
        .wrongUse,
        "the system keyboard has no setting `\(VisibleText.escape(name, limit: 60))`: "
          + "`keyhost settings system` shows those it has")
    }
    return setting
  }

  /// Sets a setting to the value that a word says.
  public func set(
    _ setting: SystemKeyboardSetting, to value: String, log: AuditLog
  ) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      guard setting.set(value, in: &settings.typing) else {
        throw StoreError(
          .wrongUse,
          "`\(VisibleText.escape(value, limit: 60))` is no value of `\(setting.rawValue)`, which is "
            + setting.values)
      }
      return PlannedChange(result: ())
    }
  }

  /// Goes back to the default, of all settings if none is given.
  public func reset(_ setting: SystemKeyboardSetting?, log: AuditLog) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      let first = SystemKeyboardSettings()
      if let setting {
        _ = setting.set(setting.value(in: first), in: &settings.typing)
      } else {
        settings.typing = first
      }
      return PlannedChange(result: ())
    }
  }
}
