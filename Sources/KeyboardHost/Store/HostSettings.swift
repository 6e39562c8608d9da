import NetworkBroker
import PluginManifest
import PluginProtocol
import TextInput

/// The user's choices.
public struct HostSettings: Sendable, Equatable {
  /// The name under which the host's own keyboard stands in the list.
  public static let systemKeyboard = "system"

  /// The keyboard list in the user's order, with ``systemKeyboard`` in it exactly once.
  public var enabledKeyboards: [String] = [systemKeyboard]
  /// Keyboards that were granted open access.
  public var openAccess: Set<String> = []
  /// Addresses and ports that the user opened to keyboards with open access, by keyboard, beside
  /// the Internet's public addresses.
  public var allowedHosts: [String: Set<SocketAddress>] = [:]
  /// Services that the user granted, by keyboard, beside open access: without that they are of no
  /// effect.
  public var services: [String: Set<KeyboardService>] = [:]
  /// As root: the user id (and group id of the same number) of each keyboard. An id stays
  /// reserved for as long as the container it owns exists.
  public var identities: [String: UInt32] = [:]
  /// Whose a keyboard is: the id of the app that it was installed with, for as long as that app or
  /// anything of the keyboard is there. An id says nothing of it: `a.b.c` may be a keyboard of `a` and of
  /// `a.b`. Nobody else's keyboard of that id gets what is kept for it.
  public var owners: [String: String] = [:]
  public var textReplacements: [TextReplacement] = []
  /// Layers the user agreed to do without, by keyboard.
  public var weakenings: [String: Set<String>] = [:]
  /// Folders of vCards whose names are part of the lexicon.
  public var contactFolders: [String] = []
  /// What the user set of apps' settings bundles, by app and key. What a bundle does not declare, or
  /// not so, has no effect.
  public var appSettings: [String: [String: SettingValue]] = [:]
  /// Where the user says that the machine is; nil leaves that to GeoClue.
  public var place: FixedPlace?
  /// What the host's own keyboard does by itself.
  public var typing = SystemKeyboardSettings()

  public init() {}

  /// Why a path is no folder that could be named here, or nil.
  static func faultOfFolder(_ path: String) -> String? {
    if !path.hasPrefix("/") { return "is no absolute path" }
    if path.utf8.count > 4_095 || path.utf8.contains(0) { return "is no path that can be" }
    return nil
  }

  /// Whether everything that a keyboard is or has here it is and has there too.
  func grantsNoMore(than other: HostSettings) -> Bool {
    Set(enabledKeyboards).isSubset(of: other.enabledKeyboards)
      && openAccess.isSubset(of: other.openAccess)
      && allowedHosts.allSatisfy { $0.value.isSubset(of: other.allowedHosts[$0.key] ?? []) }
      && services.allSatisfy { $0.value.isSubset(of: other.services[$0.key] ?? []) }
      && weakenings.allSatisfy { $0.value.isSubset(of: other.weakenings[$0.key] ?? []) }
  }

  /// The list without the host's own keyboard.
  public var enabledPlugins: [String] {
    enabledKeyboards.filter { $0 != Self.systemKeyboard }
  }
}
