import PluginProtocol

/// Why a service told the keyboard nothing.
public struct ServiceError: Error, Sendable, Equatable {
  public enum Code: Sendable, Equatable {
    /// The user did not grant it; the message says how that is done.
    case denied
    /// There is no answer now.
    case unavailable
    /// It was asked for too often.
    case tooMany
  }
  public var code: Code
  /// For the user, or the keyboard's log.
  public var message: String

  init(code: Int, message: String) {
    self.message = message
    switch code {
    case PluginMessage.notAuthorized: self.code = .denied
    case PluginMessage.tooMany: self.code = .tooMany
    default: self.code = .unavailable
    }
  }
}
