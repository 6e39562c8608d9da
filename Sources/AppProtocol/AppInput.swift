import TextInput

/// What the user did in a field, as its app passes it on.
public enum AppInput: Sendable, Equatable {
  /// An event as the keyboard's interface knows it.
  case event(InputEvent)
  /// One user-perceived character that is to be typed.
  case character(String)
  /// The globe key.
  case nextKeyboard
  /// A keyboard picked from the answer to `listKeyboards`; `system` is the host's own.
  case selectKeyboard(String)
  /// What the host itself is to do with the text, for an app that draws the keyboard.
  case command(EditingCommand)
}
