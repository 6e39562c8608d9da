import TextInput

/// A setting of the system keyboard as the user sees it: a name, values in words, a meaning.
public enum SystemKeyboardSetting: Sendable, Hashable, CaseIterable, RawRepresentable {
  case feature(SystemKeyboardSettings.Feature)
  case oneHanded
  case maximumSuggestions
  case language

  /// The features in their order, and then the others.
  public static let allCases =
    SystemKeyboardSettings.Feature.allCases.map(Self.feature)
    + [.oneHanded, .maximumSuggestions, .language]

  /// The setting of that name.
  public init?(rawValue: String) {
    guard let setting = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = setting
  }

  /// The name, in files and commands.
  public var rawValue: String {
    switch self {
    case .feature(let feature): feature.rawValue
    case .oneHanded: "oneHanded"
    case .maximumSuggestions: "maximumSuggestions"
    case .language: "language"
    }
  }

  /// The values that the setting can have, for people.
  public var values: String {
    switch self {
    case .feature: "on or off"
    case .oneHanded: OneHandedSide.allCases.map(\.rawValue).joined(separator: ", ")
    case .maximumSuggestions:
      "a number from \(SystemKeyboardSettings.suggestionCounts.lowerBound) to "
        + "\(SystemKeyboardSettings.suggestionCounts.upperBound)"
    case .language: "a language's tag such as en-GB, or automatic"
    }
  }

  /// One sentence for people.
  public var meaning: String {
    switch self {
    case .feature(let feature): Self.meaning(of: feature)
    case .oneHanded: "Narrow keys at one side."
    case .maximumSuggestions: "How many suggestions are shown."
    case .language:
      "The language of quotes, spelling and letters; automatic takes that of your keyboards."
    }
  }

  private static func meaning(of feature: SystemKeyboardSettings.Feature) -> String {
    switch feature {
    case .capitalization: "Capitals where the field asks for them."
    case .capsLock: "Two taps of shift, or a long press, lock the capitals."
    case .doubleSpaceFullStop: "Two spaces behind a word make a full stop and a space."
    case .smartQuotes: "Quotes become those of the language."
    case .smartDashes: "Two hyphens become a dash."
    case .smartInsertDelete: "Spaces are fitted around what is picked and deleted."
    case .textReplacement: "Your text replacements take the place of what is typed."
    case .autocorrection: "A misspelt word is corrected at its end."
    case .prediction: "Words that begin as typed are suggested."
    case .shakeToUndo: "A shake asks whether to undo."
    case .trackpadCursor: "A drag from the space key moves the cursor."
    case .keyPreview: "The key under a finger is shown large, outside secure fields."
    case .richText: "Bold, italic and underlined, in fields that support them."
    case .keyClicks: "Keys that show are heard, where a keyboard wants that."
    case .hardwareKeys: "All this for the keys of a hardware keyboard too."
    }
  }

  /// The value in force, in words.
  public func value(in settings: SystemKeyboardSettings) -> String {
    switch self {
    case .feature(let feature): settings[feature] ? "on" : "off"
    case .oneHanded: settings.oneHanded.rawValue
    case .maximumSuggestions: String(settings.maximumSuggestions)
    case .language: settings.language ?? "automatic"
    }
  }

  /// Sets the value that a word says.
  /// - Returns: false when it is none of the setting's values.
  public func set(_ text: String, in settings: inout SystemKeyboardSettings) -> Bool {
    switch self {
    case .feature(let feature):
      guard text == "on" || text == "off" else { return false }
      settings[feature] = text == "on"
    case .oneHanded:
      guard let side = OneHandedSide(rawValue: text) else { return false }
      settings.oneHanded = side
    case .maximumSuggestions:
      guard let count = Int(text), SystemKeyboardSettings.suggestionCounts.contains(count) else {
        return false
      }
      settings.maximumSuggestions = count
    case .language:
      if text == "automatic" {
        settings.language = nil
      } else {
        guard SystemKeyboardSettings.isLanguageTag(text) else { return false }
        settings.language = text
      }
    }
    return true
  }
}
