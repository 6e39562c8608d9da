import PluginManifest
import PluginProtocol

/// What a keyboard asks of a service.
public enum ServiceQuestion: Sendable, Equatable {
  /// The contacts from that one on.
  case contacts(offset: Int)
  case location

  public var service: KeyboardService {
    switch self {
    case .contacts: .contacts
    case .location: .location
    }
  }
}
