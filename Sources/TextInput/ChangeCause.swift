/// Who changed the text or the selection of a field.
public enum ChangeCause: String, Sendable, Equatable, Hashable, CaseIterable {
  /// The keyboard itself, by a transaction that the host applied.
  case keyboard
  /// The app.
  case app
  /// The user, by other means than the keyboard.
  case user
}
