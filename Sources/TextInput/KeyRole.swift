/// What a key is for. The host draws a key by its role, and its own keyboard does what the role
/// says when a key's keyboard cannot answer.
public enum KeyRole: String, Sendable, Equatable, Hashable, CaseIterable {
  /// Types text.
  case character
  /// Deletes backward.
  case delete
  /// Types a line feed, or does what the field's return key does.
  case `return`
  /// Types a space.
  case space
  /// Makes the next letter a capital.
  case shift
  /// Hides the keyboard.
  case dismiss
  /// Goes to the next keyboard of the user's list.
  case nextKeyboard
  /// Means something to its own keyboard only.
  case custom
}
