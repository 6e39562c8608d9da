import Glibc

/// What waitid(2) says has happened to a child.
public enum ProcessStatus: Sendable, Equatable {
  /// It ended by itself, with this exit code (0 to 255).
  case exited(Int32)
  /// A signal ended it.
  case signaled(Int32, coreDumped: Bool)
  /// A signal stopped it.
  case stopped(Int32)
  /// It runs again after a stop.
  case continued
}

extension ProcessStatus: CustomStringConvertible {
  /// For example `ended with code 1` or `killed by SIGSYS`.
  public var description: String {
    switch self {
    case .exited(let code): "ended with code \(code)"
    case .signaled(let number, let dumped):
      "killed by \(Signals.name(number))\(dumped ? ", core dumped" : "")"
    case .stopped(let number): "stopped by \(Signals.name(number))"
    case .continued: "running again"
    }
  }
}
