import Glibc

/// Where the host keeps its files.
///
/// The XDG Base Directory Specification for a user. For root, whatever XDG variable is not set
/// falls below `/var/lib/keyhost` instead of root's home: a keyboard's own id, to which the
/// launcher drops, cannot walk through a home folder of mode 0700.
public struct HostPaths: Sendable, Equatable {
  /// Settings: mode 0700.
  public let configuration: String
  /// Installed apps and containers: mode 0700 for a user, 0711 for root.
  public let data: String
  /// The audit log: mode 0700.
  public let state: String
  /// Sockets and other things of one log-in: mode 0700.
  public let runtime: String

  /// Installed apps, one folder `IDENTIFIER.app` each.
  public var apps: String { data + "/apps" }
  /// All containers.
  public var containers: String { data + "/containers" }
  /// What belongs to one keyboard alone: its only writable place without open access.
  public func privateContainer(_ keyboard: String) -> String {
    containers + "/keyboards/" + keyboard
  }
  /// What an app shares with its keyboards.
  public func sharedContainer(_ app: String) -> String { containers + "/apps/" + app }
  public var settingsFile: String { configuration + "/settings.json" }
  public var auditLog: String { state + "/audit.log" }

  /// - Parameters:
  ///   - environment: where the XDG variables and `HOME` are looked up. A relative path in an
  ///     XDG variable counts as not set, as the specification says.
  ///   - user: the effective user id.
  public init(
    environment: [String: String], user: UInt32 = geteuid()
  ) throws(StoreError) {
    let isRoot = user == 0
    func variable(_ name: String) -> String? {
      guard var value = environment[name], value.hasPrefix("/") else { return nil }
      while value.count > 1, value.hasSuffix("/") { value.removeLast() }
      return value
    }
    func place(_ name: String, root: String, home: String) throws(StoreError) -> String {
      if let value = variable(name) { return value + "/keyhost" }
      if isRoot { return root }
      guard let base = variable("HOME") else {
        throw StoreError(
          .file, "HOME is not set to an absolute path, and neither is \(name): set one of them")
      }
      return base + home + "/keyhost"
    }
    let top = "/var/lib/keyhost"
    configuration = try place("XDG_CONFIG_HOME", root: top + "/config", home: "/.config")
    data = try place("XDG_DATA_HOME", root: top + "/data", home: "/.local/share")
    state = try place("XDG_STATE_HOME", root: top + "/state", home: "/.local/state")
    if let value = variable("XDG_RUNTIME_DIR") {
      runtime = value + "/keyhost"
    } else {
      // Without a log-in session the specification asks for a replacement with the same rights.
      runtime = isRoot ? "/run/keyhost" : state + "/run"
    }
  }

  /// The environment of this process, for ``init(environment:user:)``.
  public static func processEnvironment() -> [String: String] {
    var found: [String: String] = [:]
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }

  /// The locale of messages that the process was started with, as locale(7) finds it.
  public static func processLocale() -> String? {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = unsafe getenv(name) {
        let text = unsafe String(cString: value)
        if !text.isEmpty { return text }
      }
    }
    return nil
  }
}
