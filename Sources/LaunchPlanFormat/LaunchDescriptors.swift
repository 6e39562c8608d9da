/// Where the launcher finds what the host gives it.
public enum LaunchDescriptors {
  /// The keyboard reads the host's messages here.
  public static let input: Int32 = 0
  public static let standardOutput: Int32 = 1
  public static let standardError: Int32 = 2
  /// The keyboard writes its messages here.
  public static let output: Int32 = 3
  /// The sealed plan.
  public static let plan: Int32 = 4
  /// The write end of the status pipe.
  public static let status: Int32 = 5
  /// A pidfd of the host, to see whether it is still there.
  public static let host: Int32 = 6
  /// The first number that is the launcher's own.
  public static let firstForeign: Int32 = 7
}

/// The launcher's exit codes, for those who start it by hand; the host reads the status pipe.
public enum LaunchExitCode {
  /// The plan is missing, not sealed, damaged or of another release.
  public static let refusedPlan: Int32 = 2
  /// A layer could not be applied.
  public static let failedLayer: Int32 = 3
  /// The program could not be started.
  public static let failedExecution: Int32 = 4
}

/// The variables that a keyboard may have. Anything that changes how programs are loaded (`LD_*`,
/// `PYTHONPATH`, `PYTHONSTARTUP` ...) is not among them.
public enum LaunchEnvironment {
  public static let allowedNames: Set<String> = [
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONUTF8", "RES_OPTIONS",
    "SSL_CERT_DIR", "SSL_CERT_FILE",
    // Without them a static Swift program looks for its runtime through /proc, and aborts.
    "SWIFT_BACKTRACE", "SWIFT_ROOT", "TMPDIR", "TZ", "XDG_CACHE_HOME", "XDG_DATA_HOME",
  ]
  /// Names that begin like this are the host's own.
  public static let ownPrefix = "KEYHOST_"

  public static func allows(_ name: String) -> Bool {
    allowedNames.contains(name)
      || name.hasPrefix(ownPrefix)
        && name.utf8.allSatisfy {
          (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
  }
}
