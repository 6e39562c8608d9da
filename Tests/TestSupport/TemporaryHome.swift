/// A home of its own for one test: nothing of the user's is read or written. Removed at the end.
public final class TemporaryHome: Sendable {
  public let path: String

  /// As root the keyboards run under ids of their own, which must be able to walk through: 0711.
  public init() throws {
    path = try Files.temporaryDirectory(mode: 0o711)
    for folder in ["", "/config", "/data", "/state", "/cache"] {
      try Files.makeDirectory(path + folder, mode: 0o711)
    }
    try Files.makeDirectory(path + "/run", mode: 0o700)
    try Files.makeDirectory(path + "/work", mode: 0o755)
  }

  deinit { Files.remove(path) }

  /// A folder for what the test makes: bundles, input files.
  public var work: String { "\(path)/work" }

  /// The XDG base folders inside this home, a search path and a locale.
  public var environment: [String: String] {
    var environment = Program.plainEnvironment
    environment["HOME"] = path
    environment["XDG_CONFIG_HOME"] = "\(path)/config"
    environment["XDG_DATA_HOME"] = "\(path)/data"
    environment["XDG_STATE_HOME"] = "\(path)/state"
    environment["XDG_CACHE_HOME"] = "\(path)/cache"
    environment["XDG_RUNTIME_DIR"] = "\(path)/run"
    return environment
  }

  /// The program under test, in this home.
  public var keyhost: Program { Program(Products.keyhost, environment: environment) }

  /// Runs `keyhost` with these arguments.
  public func keyhost(_ arguments: String..., input: String = "") throws -> ProgramResult {
    try keyhost.run(arguments, input: Array(input.utf8))
  }
}
