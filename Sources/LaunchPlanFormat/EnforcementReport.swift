/// What every layer of one launch came to.
public struct EnforcementReport: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public let layer: SandboxLayer
    public let state: LayerState

    public init(layer: SandboxLayer, state: LayerState) {
      self.layer = layer
      self.state = state
    }

    /// Whether a keyboard without it has less around it than keyboards are meant to have. Of the
    /// user namespace and the id of its own a host asks for one, as it is root or not.
    public var isMissing: Bool {
      switch state {
      case .enforced, .partly: false
      case .unavailable: SandboxLayer.required.contains(layer)
      case .notRequested: layer != .userNamespace && layer != .identity
      }
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
