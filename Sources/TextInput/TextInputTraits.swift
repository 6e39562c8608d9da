/// The traits of a field, named as in `UITextInputTraits`.
public struct TextInputTraits: Sendable, Equatable {
  /// The kind of keyboard.
  public var keyboardType: Trait<KeyboardType> = .absent
  /// The look of the keyboard.
  public var keyboardAppearance: Trait<KeyboardAppearance> = .absent
  /// What the return key does.
  public var returnKeyType: Trait<ReturnKeyType> = .absent
  /// Whether the return key is off while the field is empty.
  public var enablesReturnKeyAutomatically: Trait<Bool> = .absent
  /// Whether the field hides what is typed.
  public var isSecureTextEntry: Trait<Bool> = .absent
  /// When to capitalise.
  public var autocapitalizationType: Trait<AutocapitalizationType> = .absent
  /// Whether to correct.
  public var autocorrectionType: Trait<AutocorrectionType> = .absent
  /// Whether to check the spelling.
  public var spellCheckingType: Trait<SpellCheckingType> = .absent
  /// Whether to make quotes typographic.
  public var smartQuotesType: Trait<SmartQuotesType> = .absent
  /// Whether to make dashes of hyphens.
  public var smartDashesType: Trait<SmartDashesType> = .absent
  /// Whether to fit spaces around edits.
  public var smartInsertDeleteType: Trait<SmartInsertDeleteType> = .absent
  /// Whether the look of the text (bold, italic, underlined) can be changed; named as in
  /// `UITextView`.
  public var allowsEditingTextAttributes: Trait<Bool> = .absent
  /// What the text means.
  public var textContentType: Trait<TextContentType> = .absent
  /// Whether nothing that is typed may be remembered, as in a private window. The phone has no such
  /// trait; toolkits do (`GTK_INPUT_HINT_PRIVATE`).
  public var isPrivate: Trait<Bool> = .absent
  /// Whether the field is a terminal. The phone has no such trait; toolkits do
  /// (`GTK_INPUT_PURPOSE_TERMINAL`).
  public var isTerminal: Trait<Bool> = .absent
  /// Names of traits that are none of the above, in the order they came.
  public var unrecognized: [String] = []

  /// Traits of which none is given.
  public init() {}
}
