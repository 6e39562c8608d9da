/// Which instance of a keyboard a process is.
public enum InstanceKind: String, Sendable, Equatable {
  /// The one that has what the user granted, and keeps its container.
  case ordinary
  /// One that forgets: it has neither open access nor a container that outlives it, and is ended when
  /// its field loses the focus.
  case incognito
}
