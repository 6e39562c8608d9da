import KeyboardHost
import SandboxPolicy

/// One keyboard of the report: what it is, what it may, what it did.
public struct ReportedKeyboard: Sendable {
  public var identifier: String
  /// Nil when it is not installed.
  public var displayName: String?
  /// The id of the app it came with.
  public var app: String?
  public var version: String?
  public var isInstalled: Bool
  /// Its place in the user's list, from 1; nil when it is not in the list.
  public var position: Int?
  public var requestsOpenAccess: Bool
  /// Whether the user's grant is in force: it counts only while the keyboard asks for it.
  public var hasOpenAccess: Bool
  /// What the user opened beside public addresses, as `ADDRESS:PORT`.
  public var allowedHosts: [String] = []
  /// Layers of the sandbox that the user agreed to do without.
  public var allowWeaker: [String] = []
  public var activity: KeyboardActivity

  /// What it would be started with now.
  public var grants: SandboxGrants { SandboxGrants(openAccess: hasOpenAccess) }

  /// One that only the log knows.
  init(removed identifier: String, activity: KeyboardActivity) {
    self.identifier = identifier
    isInstalled = false
    requestsOpenAccess = false
    hasOpenAccess = false
    self.activity = activity
  }

  init(_ installed: InstalledKeyboard, settings: HostSettings, activity: KeyboardActivity) {
    let manifest = installed.manifest
    identifier = manifest.identifier
    displayName = manifest.displayName
    app = manifest.appIdentifier
    version = manifest.version
    isInstalled = true
    position = settings.enabledKeyboards.firstIndex(of: identifier).map { $0 + 1 }
    requestsOpenAccess = manifest.requestsOpenAccess
    hasOpenAccess = requestsOpenAccess && settings.openAccess.contains(identifier)
    if hasOpenAccess {
      allowedHosts = (settings.allowedHosts[identifier] ?? []).map(\.description).sorted()
    }
    allowWeaker = (settings.weakenings[identifier] ?? []).sorted()
    self.activity = activity
  }
}
