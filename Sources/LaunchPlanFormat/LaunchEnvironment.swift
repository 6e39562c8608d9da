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
