import TextInput

/// All that the eligibility of a keyboard for a field depends on, apart from the keyboard.
public struct FieldDescription: Sendable, Equatable {
  public var traits: TextInputTraits
  /// Whether the field was secure at any time of its life: once secure, refused for good.
  public var wasSecure: Bool
  /// Whether it was incognito at any time of its life: what was typed then is still in it.
  public var wasIncognito: Bool
  public var appAnswer: AppAnswer
  /// Whether the app shows a view of its own in the keyboard's place.
  public var hasInputView: Bool

  public init(
    traits: TextInputTraits = TextInputTraits(), wasSecure: Bool = false,
    wasIncognito: Bool = false, appAnswer: AppAnswer = .notImplemented, hasInputView: Bool = false
  ) {
    self.traits = traits
    self.wasSecure = wasSecure
    self.wasIncognito = wasIncognito
    self.appAnswer = appAnswer
    self.hasInputView = hasInputView
  }
}
