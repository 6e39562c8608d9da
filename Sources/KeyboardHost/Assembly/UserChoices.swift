import PluginManifest
import SandboxLaunch
import SandboxPolicy
import TerminalText
import TextInput

/// The user's settings together with what is installed: what a host runs by.
public struct UserChoices: Sendable {
  public var settings: HostSettings
  /// The enabled keyboards that are installed, in the user's order.
  public var keyboards: [LaunchableKeyboard]
  /// Enabled keyboards that cannot be used, each with the reason.
  public var faults: [String]

  /// Nothing enabled and nothing granted.
  public static let none = UserChoices()

  private init() {
    settings = HostSettings()
    keyboards = []
    faults = []
  }

  /// Reads settings and apps as they are now.
  public init(paths: HostPaths) throws(StoreError) {
    settings = try SettingsStore(paths: paths).load()
    let listing = try AppRegistry(paths: paths).list()
    keyboards = []
    faults = listing.faults.map { VisibleText.escape("\($0.app): \($0.error)") }
    for identifier in settings.enabledPlugins {
      guard let installed = listing.keyboard(identifier) else {
        faults.append(
          "the keyboard `\(VisibleText.escape(identifier))` is enabled but not installed")
        continue
      }
      keyboards.append(launchable(installed))
    }
  }

  /// A grant counts only while the manifest still asks for it.
  private func launchable(_ installed: InstalledKeyboard) -> LaunchableKeyboard {
    let identifier = installed.manifest.identifier
    let hasAccess =
      installed.manifest.requestsOpenAccess && settings.openAccess.contains(identifier)
    let weaker = settings.weakenings[identifier] ?? []
    return LaunchableKeyboard(
      installed: installed, grants: SandboxGrants(openAccess: hasAccess),
      allowedHosts: hasAccess ? settings.allowedHosts[identifier] ?? [] : [],
      allowWeaker: Set(weaker.compactMap { SandboxLayer(rawValue: $0) }))
  }

  public func keyboard(_ identifier: String) -> LaunchableKeyboard? {
    keyboards.first { $0.installed.manifest.identifier == identifier }
  }

  /// - Parameter first: a keyboard to put before all others, for one run; `system` is one too.
  public func configuration(hostVersion: String, first: String? = nil) -> HostConfiguration {
    var entries = keyboards.map(\.entry)
    let before = settings.enabledKeyboards.prefix { $0 != HostSettings.systemKeyboard }
    var systemPosition = entries.count { before.contains($0.identifier) }
    if first == HostSettings.systemKeyboard {
      systemPosition = 0
    } else if let first, let index = entries.firstIndex(where: { $0.identifier == first }) {
      entries.insert(entries.remove(at: index), at: 0)
      if index >= systemPosition { systemPosition += 1 }
    }
    return HostConfiguration(
      keyboards: entries, systemPosition: systemPosition,
      lexicon: settings.textReplacements.map {
        LexiconEntry(userInput: $0.userInput, documentText: $0.documentText)
      },
      hostVersion: hostVersion)
  }
}
