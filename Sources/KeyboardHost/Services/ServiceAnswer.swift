import PluginProtocol

/// What a service says.
public enum ServiceAnswer: Sendable, Equatable {
  case contacts(ContactsPage)
  case location(Location)
  /// It has no answer now; the reason is for the keyboard.
  case unavailable(String)
}
