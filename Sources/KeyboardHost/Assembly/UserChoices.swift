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

  private let listing: AppListing

  /// Nothing enabled and nothing granted.
  public static let none = UserChoices()

  private init() {
    settings = HostSettings()
    keyboards = []
    faults = []
    listing = AppListing()
  }

  /// Reads settings and apps as they are now.
  public init(paths: HostPaths) throws(StoreError) {
    // A hostile bundle can make the listing slow: the settings are those behind it.
    listing = try AppRegistry(paths: paths).list()
    settings = try SettingsStore(paths: paths).load()
    keyboards = []
    faults = []
    for identifier in settings.enabledPlugins {
      guard let installed = listing.keyboard(identifier) else {
        faults.append(Self.fault(of: identifier, listing))
        continue
      }
      keyboards.append(launchable(installed, paths))
    }
  }

  private static func fault(of identifier: String, _ listing: AppListing) -> String {
    let shown = VisibleText.escape(identifier)
    if let fault = listing.fault(ofKeyboard: identifier) {
      return "the keyboard `\(shown)` cannot be used: \(fault.story)"
    }
    return "the keyboard `\(shown)` is in the list but not installed"
  }

  /// Why a keyboard that somebody asks for cannot be used, and what to do.
  public func whyNot(_ identifier: String) -> String {
    let shown = VisibleText.escape(identifier)
    if listing.keyboard(identifier) != nil {
      return "the keyboard `\(shown)` is not enabled: `keyhost keyboards add \(shown)` does that"
    }
    if settings.enabledKeyboards.contains(identifier)
      || listing.fault(ofKeyboard: identifier) != nil
    {
      return Self.fault(of: identifier, listing)
    }
    return "no keyboard `\(shown)` is installed: `keyhost keyboards list` shows those that are"
  }

  /// A grant counts only while the manifest still asks for it.
  private func launchable(
    _ installed: InstalledKeyboard, _ paths: HostPaths
  ) -> LaunchableKeyboard {
    let identifier = installed.manifest.identifier
    let hasAccess =
      installed.manifest.requestsOpenAccess && settings.openAccess.contains(identifier)
    let weaker = settings.weakenings[identifier] ?? []
    return LaunchableKeyboard(
      installed: installed, grants: SandboxGrants(openAccess: hasAccess),
      allowedHosts: hasAccess ? settings.allowedHosts[identifier] ?? [] : [],
      allowWeaker: Set(weaker.compactMap { SandboxLayer(rawValue: $0) }),
      container: paths.privateContainer(identifier),
      settings: settings.settings(of: installed.manifest.appIdentifier, installed.settings),
      services: settings.servicesInForce(installed.manifest))
  }

  public func keyboard(_ identifier: String) -> LaunchableKeyboard? {
    keyboards.first { $0.installed.manifest.identifier == identifier }
  }

  /// - Parameters:
  ///   - first: a keyboard to put before all others, for one run; `system` is one too.
  ///   - contacts: the names of the user's contacts.
  ///   - locale: the locale of the user's messages, which says the language where no keyboard of
  ///     the list does.
  public func configuration(
    hostVersion: String, contacts: ContactNames = .none, first: String? = nil, locale: String? = nil
  ) -> HostConfiguration {
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
      } + contacts.entries,
      hostVersion: hostVersion, systemKeyboard: settings.typing,
      language: entries.lazy.compactMap(\.primaryLanguage).first { $0 != "mul" }
        ?? Self.language(ofLocale: locale))
  }

  /// The language of a POSIX locale such as `de_CH.UTF-8`; nil for one without a language.
  static func language(ofLocale locale: String?) -> String? {
    guard let name = locale?.prefix(while: { $0 != "." && $0 != "@" }) else { return nil }
    let tag = String(name.map { $0 == "_" ? "-" : $0 })
    return SystemKeyboardSettings.isLanguageTag(tag) ? tag : nil
  }
}
