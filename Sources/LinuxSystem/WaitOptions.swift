import Glibc

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
