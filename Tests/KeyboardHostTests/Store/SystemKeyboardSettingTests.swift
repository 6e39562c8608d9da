import StrictJSON
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

@Suite("The settings of the system keyboard")
struct SystemKeyboardSettingTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func decode(_ text: String) throws(JSONError) -> SystemKeyboardSettings {
    let settings = try HostSettings(
      decoding: Array(#"{"version":1,"systemKeyboard":\#(text)}"#.utf8))
    return settings.typing
  }

  @Test("every setting has a name of its own, and every feature is a setting")
  func names() {
    for feature in SystemKeyboardSettings.Feature.allCases {
      #expect(SystemKeyboardSetting(rawValue: feature.rawValue) == .feature(feature))
    }
    for setting in SystemKeyboardSetting.allCases {
      #expect(SystemKeyboardSetting(rawValue: setting.rawValue) == setting)
    }
    #expect(
      SystemKeyboardSetting.allCases.count == SystemKeyboardSettings.Feature.allCases.count + 3)
    #expect(SystemKeyboardSetting(rawValue: "feature") == nil)
  }

  @Test("are kept, each by itself, and what is not there is as at first")
  func kept() throws {
    let choices = SystemKeyboardChoices(paths: fixture.paths)
    #expect(try choices.current() == SystemKeyboardSettings())
    for setting in SystemKeyboardSetting.allCases {
      let value =
        switch setting {
        case .oneHanded: "left"
        case .maximumSuggestions: "1"
        case .language: "de-CH"
        case .feature(.hardwareKeys), .feature(.keyClicks): "on"
        default: "off"
        }
      var expected = try choices.current()
      #expect(setting.set(value, in: &expected))
      #expect(try expected != choices.current())
      try choices.set(setting, to: value, log: fixture.log)
      #expect(try choices.current() == expected)
      #expect(setting.value(in: expected) == value)
    }
    try choices.set(.language, to: "automatic", log: fixture.log)
    #expect(try choices.current().language == nil)
    #expect(try decode("{}") == SystemKeyboardSettings())
    #expect(try decode(#"{"smartQuotes":false,"language":null}"#).enabled.contains(.smartDashes))
  }

  @Test(
    "values that are none are refused and change nothing",
    arguments: [
      (SystemKeyboardSetting.feature(.smartQuotes), "yes"), (.feature(.smartQuotes), ""),
      (.oneHanded, "middle"),
      (.maximumSuggestions, "4"), (.maximumSuggestions, "-1"), (.maximumSuggestions, "1x"),
      (.language, "english language"), (.language, ""), (.language, "e"), (.language, "de_CH"),
      (.language, "de-"), (.language, String(repeating: "ab-", count: 20) + "ab"),
    ])
  func refused(setting: SystemKeyboardSetting, value: String) throws {
    let choices = SystemKeyboardChoices(paths: fixture.paths)
    #expect(storeFault { try choices.set(setting, to: value, log: fixture.log) }.contains("is no"))
    #expect(try choices.current() == SystemKeyboardSettings())
    #expect(storeFault { _ = try SystemKeyboardChoices.setting(named: "x\u{1B}") }.contains("x\\u"))
  }

  @Test(
    "a damaged file tells its place",
    arguments: [
      ("[]", 31, "is not an object"), (#"{"smartQuote":true}"#, 32, "is not known"),
      (#"{"smartQuotes":"on"}"#, 46, "not true or false"),
      (#"{"oneHanded":"up"}"#, 44, "one of off"),
      (#"{"maximumSuggestions":4}"#, 53, "from 0 to 3"),
      (#"{"maximumSuggestions":1e30}"#, 53, "from 0 to 3"),
      (#"{"language":"x"}"#, 43, "a language's tag"),
      (#"{"smartQuotes":true,"smartQuotes":true}"#, 51, "twice"),
    ])
  func damaged(text: String, column: Int, message: String) {
    do {
      _ = try decode(text)
      Issue.record("read \(text)")
    } catch {
      #expect(error.column == column, "\(text): \(error)")
      #expect(error.message.contains(message), "\(text): \(error)")
    }
  }

  @Test(
    "the language is that of a locale",
    arguments: [
      ("de_CH.UTF-8", "de-CH"), ("en_US", "en-US"), ("ca@valencia", "ca"), ("C", nil),
      ("C.UTF-8", nil), ("POSIX", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func locale(name: String?, language: String?) {
    #expect(UserChoices.language(ofLocale: name) == language)
  }
}
