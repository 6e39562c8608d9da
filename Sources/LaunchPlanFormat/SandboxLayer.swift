/// A layer of the sandbox, in the order in which the launcher applies them.
public enum SandboxLayer: String, CaseIterable, Sendable, Hashable {
  /// Signals and terminal reset, a session of its own.
  case session
  /// Every descriptor but 0 to 3 closed.
  case descriptors
  /// Only variables of the allow list.
  case environment
  /// setrlimit(2).
  case limits
  /// A user namespace, for a host that is not root; its inner id is not 0.
  case userNamespace
  /// A root of its own: bundle, container, libraries and three devices.
  case privateRoot
  /// A network namespace with nothing in it.
  case networkNamespace
  /// A process namespace with nobody else in it.
  case processNamespace
  /// As root: the keyboard's own id, no groups.
  case identity
  /// Every capability set emptied, securebits locked.
  case capabilities
  /// PR_SET_NO_NEW_PRIVS.
  case noNewPrivileges
  /// SIGKILL when the host dies.
  case parentDeath
  /// Landlock: files, TCP and scopes.
  case landlock
  /// The system-call filter.
  case seccomp

  /// The layers without which no keyboard is started, unless the user weakens one by name.
  public static let required: Set<SandboxLayer> = Set(allCases).subtracting([.userNamespace])
}
