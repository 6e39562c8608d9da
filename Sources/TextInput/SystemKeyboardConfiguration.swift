/// What the system keyboard works by: the user's settings, language and lexicon.
public struct SystemKeyboardConfiguration: Sendable, Equatable {
  /// What it does by itself.
  public var settings: SystemKeyboardSettings
  /// The user's text replacements.
  public var replacements: TextReplacementTable
  /// The quotation marks of the user's language.
  public var quotes: TypographicQuotes
  /// The letters of the user's language.
  public var letters: LetterKeys

  /// Makes a configuration.
  /// - Parameters:
  ///   - language: a BCP 47 tag, for when the settings name no language.
  ///   - lexicon: the user's text replacements; entries that replace nothing are left out.
  public init(
    settings: SystemKeyboardSettings = SystemKeyboardSettings(), language: String? = nil,
    lexicon: [LexiconEntry] = []
  ) {
    self.settings = settings
    replacements = TextReplacementTable(lexicon)
    quotes = TypographicQuotes(language: settings.language ?? language)
    letters = LetterKeys(language: settings.language ?? language)
  }
}
