/// What the user wants the system keyboard to do by itself.
///
/// A setting that is on is still subject to the field: ``TypingRules`` says what a field allows.
public struct SystemKeyboardSettings: Sendable, Equatable {
  /// What can be turned on and off. The raw value is the setting's name, in files and commands.
  public enum Feature: String, Sendable, Equatable, Hashable, CaseIterable {
    case capitalization
    case capsLock
    case doubleSpaceFullStop
    case smartQuotes
    case smartDashes
    case smartInsertDelete
    case textReplacement
    case autocorrection
    case prediction
    case shakeToUndo
    case trackpadCursor
    case keyPreview
    case richText
    /// Whether keys are heard. Off at first: a host that is not asked makes no sound.
    case keyClicks
    /// Whether the rules for keys on the screen hold for a hardware keyboard as well. Off at first,
    /// so that what comes from a hardware keyboard is typed as it came.
    case hardwareKeys
  }

  /// How many suggestions a bar can show at the most.
  public static let suggestionCounts = 0...SuggestionBar.most
  /// The longest name of a language, in bytes.
  public static let maximumLanguageBytes = 35

  /// What is on.
  public var enabled: Set<Feature>
  /// Whether the keys are narrow, and at which side.
  public var oneHanded = OneHandedSide.off
  /// How many suggestions the bar shows at the most, within ``suggestionCounts``.
  public var maximumSuggestions = SuggestionBar.most
  /// The language to type in, as a BCP 47 tag; nil takes that of the user's list of keyboards.
  public var language: String?

  /// The settings that are in force before the user changes any.
  public init() { enabled = Set(Feature.allCases).subtracting([.hardwareKeys, .keyClicks]) }

  /// Whether a feature is on.
  public subscript(feature: Feature) -> Bool {
    get { enabled.contains(feature) }
    set {
      if newValue { enabled.insert(feature) } else { enabled.remove(feature) }
    }
  }

  /// Whether a text has the form of a language tag: letters and digits in parts of one to eight,
  /// the first of two or three letters (RFC 5646, without its registry).
  public static func isLanguageTag(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLanguageBytes else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count),
      first.utf8.allSatisfy({ isLetter($0) })
    else { return false }
    return parts.allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
