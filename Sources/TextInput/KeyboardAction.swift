/// What a keyboard can ask of the host apart from edits.
public enum KeyboardAction: String, Sendable, Equatable, Hashable, CaseIterable {
  /// Hides the keyboard.
  case dismissKeyboard
  /// Shows the next keyboard of the user's list.
  case advanceToNextInputMode
  /// Makes the sound of a key, if the user wants it and the keyboard shows.
  case playInputClick
}
