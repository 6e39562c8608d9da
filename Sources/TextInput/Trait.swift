/// A text-input trait as an app declared it.
///
/// Absent is not the same as false: an app that says nothing about a trait is told apart from one
/// that says `default`. A value nobody knows is kept, so that a decision can refuse what it does
/// not understand instead of taking it for the default.
public enum Trait<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The app said nothing.
  case absent
  /// The app gave a value of the trait.
  case known(Value)
  /// The app gave a value that the trait does not have, as it was written.
  case unknown(String)

  /// The value, or nil when the trait is absent or its value is unknown.
  public var value: Value? {
    if case .known(let value) = self { value } else { nil }
  }
}
