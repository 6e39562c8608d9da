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
