import CLinux
import Glibc

/// Signals of this process, and their names.
public enum Signals {
  public static let kill: Int32 = 9
  public static let `continue`: Int32 = 18
  public static let stop: Int32 = 19
  public static let badSystemCall: Int32 = 31

  /// Ignores SIGPIPE in the whole process, so that writing to a keyboard that has gone is an error
  /// (`EPIPE`) instead of the end of the host. Children get the default back when they are spawned.
  public static func ignorePipe() { _ = clinux_ignore_signal(SIGPIPE) }

  /// Ignores SIGXFSZ in the whole process, so that a file that would become longer than the limit of files
  /// (`RLIMIT_FSIZE`) allows is an error (`EFBIG`), as a full disk is one. Children get the default back when
  /// they are spawned.
  public static func ignoreFileSizeLimit() { _ = clinux_ignore_signal(SIGXFSZ) }

  /// Every signal back to its default, and none blocked.
  public static func resetAll() throws(Errno) { _ = try Errno.check(clinux_reset_signals()) }

  /// For example `SIGKILL`; numbers as on x86-64 and AArch64.
  public static func name(_ number: Int32) -> String {
    number > 0 && number < names.count ? "SIG\(names[Int(number)])" : "signal \(number)"
  }

  private static let names = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU",
    "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
  ]
}
