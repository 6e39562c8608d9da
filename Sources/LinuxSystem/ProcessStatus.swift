import CLinux
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

  /// True when the process is gone.
  public var isFinal: Bool {
    switch self {
    case .exited, .signaled: true
    case .stopped, .continued: false
    }
  }
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

/// What a wait asks about: `waitid(2)`'s options.
public struct WaitOptions: OptionSet, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// `WEXITED`: it has ended. The query takes it away (it is a zombie until then).
  public static let exited = WaitOptions(rawValue: Int32(WEXITED))
  /// `WSTOPPED`: a signal has stopped it.
  public static let stopped = WaitOptions(rawValue: Int32(WSTOPPED))
  /// `WCONTINUED`: SIGCONT has woken it.
  public static let continued = WaitOptions(rawValue: Int32(WCONTINUED))
  /// `WNOWAIT`: leave what was found for the next query.
  public static let peek = WaitOptions(rawValue: Int32(WNOWAIT))
}
