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

/// What became of a layer.
public enum LayerState: Sendable, Equatable {
  /// In force, all of it.
  case enforced
  /// In force but for what the text says.
  case partly(String)
  /// Not in force, for the reason in the text.
  case unavailable(String)
  /// This launch did not ask for it.
  case notRequested
}

extension LayerState: CustomStringConvertible {
  /// For example `partly (no truncate before ABI 3)`.
  public var description: String {
    switch self {
    case .enforced: "enforced"
    case .partly(let what): "partly (\(what))"
    case .unavailable(let why): "unavailable (\(why))"
    case .notRequested: "not requested"
    }
  }
}

/// What every layer of one launch came to.
public struct EnforcementReport: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public let layer: SandboxLayer
    public let state: LayerState

    public init(layer: SandboxLayer, state: LayerState) {
      self.layer = layer
      self.state = state
    }
  }

  /// One entry a layer, in the order of `SandboxLayer.allCases`.
  public let layers: [Entry]
  /// The Landlock ABI whose rights are in force; 0 without Landlock.
  public let landlockABI: Int

  /// Layers that `states` does not name were not requested.
  public init(states: [SandboxLayer: LayerState], landlockABI: Int) {
    layers = SandboxLayer.allCases.map { Entry(layer: $0, state: states[$0] ?? .notRequested) }
    self.landlockABI = landlockABI
  }

  public subscript(_ layer: SandboxLayer) -> LayerState {
    layers.first { $0.layer == layer }?.state ?? .notRequested
  }
}
