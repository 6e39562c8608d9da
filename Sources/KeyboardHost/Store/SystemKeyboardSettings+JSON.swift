import StrictJSON
import TerminalText
import TextInput

extension SystemKeyboardSettings {
  /// Reads the settings of the system keyboard strictly: an unknown key or a wrong value is an error
  /// with its place. A key that is missing keeps its first value.
  init(decoding value: JSONValue) throws(JSONError) {
    self.init()
    guard let members = value.members else {
      throw value.error("`systemKeyboard` is not an object")
    }
    for (key, member) in members {
      guard let setting = SystemKeyboardSetting(rawValue: key) else {
        throw value.error(
          atKey: key, "the key `\(VisibleText.escape(key, limit: 60))` is not known")
      }
      switch setting {
      case .feature(let feature):
        guard let isOn = member.boolean else {
          throw member.error("`\(key)` is not true or false")
        }
        self[feature] = isOn
      case .oneHanded:
        guard let side = member.string.flatMap({ OneHandedSide(rawValue: $0) }) else {
          throw member.error("`\(key)` is not one of \(setting.values)")
        }
        oneHanded = side
      case .maximumSuggestions:
        guard let count = member.int64, Self.suggestionCounts.contains(Int(clamping: count)) else {
          throw member.error("`\(key)` is not \(setting.values)")
        }
        maximumSuggestions = Int(count)
      case .language:
        if member.isNull {
          language = nil
        } else if let tag = member.string, Self.isLanguageTag(tag) {
          language = tag
        } else {
          throw member.error("`\(key)` is not \(setting.values)")
        }
      }
    }
  }

  /// Writes all settings, each with its value.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    for setting in SystemKeyboardSetting.allCases {
      switch setting {
      case .feature(let feature): writer.member(setting.rawValue, self[feature])
      case .oneHanded: writer.member(setting.rawValue, oneHanded.rawValue)
      case .maximumSuggestions: writer.member(setting.rawValue, maximumSuggestions)
      case .language:
        writer.key(setting.rawValue)
        if let language { writer.value(language) } else { writer.null() }
      }
    }
    writer.endObject()
  }
}
