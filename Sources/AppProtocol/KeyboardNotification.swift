/// What an app is told about the keyboard's place on the screen.
public struct KeyboardNotification: Sendable, Equatable {
  /// The names are those of `UIResponder`'s notifications.
  public enum Name: String, Sendable, Equatable, CaseIterable {
    case willShow = "keyboardWillShow"
    case didShow = "keyboardDidShow"
    case willHide = "keyboardWillHide"
    case didHide = "keyboardDidHide"
    /// Only the height changes, while the keyboard shows.
    case willChangeFrame = "keyboardWillChangeFrame"
    case didChangeFrame = "keyboardDidChangeFrame"
  }

  public var name: Name
  /// Where the keyboard, with the view above it, is before. Below the screen when it is hidden.
  public var frameBegin: Frame
  /// Where it is after.
  public var frameEnd: Frame

  public init(_ name: Name, frameBegin: Frame, frameEnd: Frame) {
    self.name = name
    self.frameBegin = frameBegin
    self.frameEnd = frameEnd
  }
}
