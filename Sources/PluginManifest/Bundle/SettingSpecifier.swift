/// One preference of a settings bundle that has a value: what the user sees, what it may be, and what
/// it is at first.
///
/// The types are those of the phone's schema for settings. `PSGroupSpecifier` and
/// `PSChildPaneSpecifier` have no value: they give others their ``group``.
public struct SettingSpecifier: Sendable, Equatable {
  /// One of the values that a preference can have, with the name that people see.
  public struct Choice: Sendable, Equatable {
    public var value: SettingDefault.Value
    public var title: String
  }

  public enum Kind: Sendable, Equatable {
    /// `PSTextFieldSpecifier`; a secure one (`IsSecure`) is not shown in lists.
    case text(isSecure: Bool)
    /// `PSToggleSwitchSpecifier`, with the values that stand for on (`TrueValue`) and off.
    case toggle(on: SettingDefault.Value, off: SettingDefault.Value)
    /// `PSSliderSpecifier`.
    case slider(ClosedRange<Double>)
    /// `PSMultiValueSpecifier` and `PSRadioGroupSpecifier`.
    case choice([Choice])
    /// `PSTitleValueSpecifier`: shown, and never changed by the user. The names of its values may
    /// be empty.
    case title([Choice])
  }

  public var key: String
  /// Empty for a preference without a title. Not safe to show as it is.
  public var title: String
  /// The title of the group or child pane it stands in. Not safe to show as it is.
  public var group: String?
  public var kind: Kind
  /// Nil for one without a `DefaultValue`: its keyboard gets no value until the user sets one.
  public var defaultValue: SettingDefault.Value?
}
