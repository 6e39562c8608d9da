import TextInput

/// All that the eligibility of a keyboard for a field depends on, apart from the keyboard.
public struct FieldDescription: Sendable, Equatable {
  public var traits: TextInputTraits
  /// Whether the field was secure at any time of its life: once secure, refused for good.
  public var wasSecure: Bool
  public var appAnswer: AppAnswer

  public init(
    traits: TextInputTraits = TextInputTraits(), wasSecure: Bool = false,
    appAnswer: AppAnswer = .notImplemented
  ) {
    self.traits = traits
    self.wasSecure = wasSecure
    self.appAnswer = appAnswer
  }
}
