/// How it stands between a keyboard and the debugger that it is to be run under.
public enum DebuggerState: Sendable, Equatable {
  /// It is stopped before its first instruction until somebody attaches.
  case awaited
  /// That process traces it. The host gives it all the time it takes.
  case attached(process: Int32)
  /// Nobody traces it any more. It goes on, and is held to the deadlines again.
  case detached
}
