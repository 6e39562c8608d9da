import TextInput

/// What a person does with the keyboard that is shown.
public enum UserInput: Sendable, Equatable {
  /// An event as the keyboard's interface knows it.
  case event(InputEvent)
  /// One user-perceived character that is to be typed: a tap on the key of the shown layout
  /// that types it where there is one, a hardware key otherwise.
  case character(String)
  /// The globe key, drawn by the host: the next keyboard.
  case nextKeyboard
  /// A keyboard picked from the list; `system` is the host's own.
  case selectKeyboard(String)
  /// What the host itself is to do with the text, whichever keyboard is shown.
  case command(EditingCommand)
}
