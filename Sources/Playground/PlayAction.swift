import KeyboardHost

/// What the playground wants done.
public enum PlayAction: Sendable, Equatable {
  case user(UserInput)
  case focus(DocumentID)
  /// The eye of a field: its traits change while it has focus.
  case traits(PlayField)
  /// Take open access from a keyboard.
  case revoke(keyboard: String)
  case quit
}
