import AppProtocol
import LinuxSystem

/// What went wrong with the connection to the host, or with a request.
public enum KeyboardClientError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no connection, or it has ended.
  case disconnected(String)
  /// The host did not answer within so many milliseconds.
  case timedOut(milliseconds: UInt64)
  /// The host did not do what was asked; the code is the protocol's, see `AppFault`.
  case refused(code: Int, message: String)

  /// The field of that name was closed before.
  case closed(field: String)

  public var description: String {
    switch self {
    case .disconnected(let reason): "the keyboard host cannot be reached: \(reason)"
    case .timedOut(let milliseconds): "the keyboard host did not answer in \(milliseconds) ms"
    case .refused(_, let message): message
    case .closed(let field): "the field \(field) is closed"
    }
  }
}
