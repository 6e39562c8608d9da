/// What a program's exit says to the one who called it.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// All is well.
  case success = 0
  /// A fault was found, or what was asked for is refused.
  case failure = 1
  /// The command line is wrong: nothing was done.
  case usage = 2
  /// A fault of the program itself (EX_SOFTWARE of sysexits.h).
  case internalError = 70
}
