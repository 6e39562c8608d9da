/// The value of one of a keyboard's settings, as its app's settings bundle declares it.
public enum SettingValue: Sendable, Equatable {
  case string(String)
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case list([String])
}
