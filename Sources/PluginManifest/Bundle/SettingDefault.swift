/// One default value of a settings bundle: the `Key` and the `DefaultValue` of a preference.
public struct SettingDefault: Sendable, Equatable {
  public enum Value: Sendable, Equatable {
    case string(String)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case list([String])
  }
  public var key: String
  public var value: Value

  public init(key: String, value: Value) {
    self.key = key
    self.value = value
  }
}
