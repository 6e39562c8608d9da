/// The views that an app shows for a field instead of the keyboard, and above it.
public struct InputViews: Sendable, Equatable {
  /// The height of the app's own view in the keyboard's place, in points; nil when the field takes
  /// the keyboard.
  public var inputViewHeight: Int?
  /// The height of the app's own view above it, in points; 0 when there is none.
  public var inputAccessoryViewHeight: Int

  public init(inputViewHeight: Int? = nil, inputAccessoryViewHeight: Int = 0) {
    self.inputViewHeight = inputViewHeight
    self.inputAccessoryViewHeight = inputAccessoryViewHeight
  }
}
