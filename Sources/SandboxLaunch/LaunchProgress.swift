/// How far a launch has come.
public enum LaunchProgress: Sendable, Equatable {
  case pending
  /// Every layer stands, and the keyboard's program waits for ``SandboxedChild/proceed()``. Told
  /// only where the filter notifies `execve`, as the shipped policy does.
  case standing(EnforcementReport)
  /// The keyboard's own program runs, behind all of this.
  case running(EnforcementReport)
}
