import LinuxSystem
import NetworkBroker
import PluginManifest
import PluginProtocol
import SandboxLaunch
import SandboxPolicy

/// An installed and enabled keyboard with what the user granted it: all that a launch needs.
public struct LaunchableKeyboard: Sendable, Equatable {
  public var installed: InstalledKeyboard
  public var grants: SandboxGrants
  /// With open access: what the user listed beside the public addresses.
  public var allowedHosts: Set<SocketAddress>
  /// Layers the user agreed to do without.
  public var allowWeaker: Set<SandboxLayer>
  /// The path of its private container.
  public var container: String?
  /// Services that were granted and are in force.
  public var services: Set<KeyboardService>
  /// Its app's settings as they hold for the user.
  public var settings: [Setting]

  public init(
    installed: InstalledKeyboard, grants: SandboxGrants, allowedHosts: Set<SocketAddress> = [],
    allowWeaker: Set<SandboxLayer> = [], container: String? = nil, settings: [Setting] = [],
    services: Set<KeyboardService> = []
  ) {
    self.installed = installed
    self.grants = grants
    self.allowedHosts = allowedHosts
    self.allowWeaker = allowWeaker
    self.container = container
    self.settings = settings
    self.services = services
  }

  /// What the core knows of it.
  var entry: KeyboardEntry {
    let manifest = installed.manifest
    return KeyboardEntry(
      identifier: manifest.identifier, displayName: manifest.displayName,
      isASCIICapable: manifest.isASCIICapable, primaryLanguage: manifest.primaryLanguage,
      hasFullAccess: grants.openAccess,
      launchKey: launchKey,
      settings: settings, prefersRightToLeft: manifest.prefersRightToLeft,
      declaredServices: Set(manifest.usageDescriptions.keys), services: services)
  }
}

extension LaunchableKeyboard {
  /// An installed app is replaced by renaming a folder into its place, so another file under the
  /// same path is another version, whatever it calls itself. A container that was emptied is another
  /// folder, of which a process that runs has nothing.
  private var launchKey: String {
    let file = try? FileStatus(path: installed.executablePath, followingLinks: false)
    let folder = container.flatMap { try? FileStatus(path: $0) }
    return [
      installed.executablePath, "\(file?.device ?? 0):\(file?.inode ?? 0)",
      "\(folder?.device ?? 0):\(folder?.inode ?? 0)",
      installed.manifest.version, "\(grants.openAccess)",
      allowedHosts.map(\.description).sorted().joined(separator: ","),
      allowWeaker.map(\.rawValue).sorted().joined(separator: ","),
    ].joined(separator: "|")
  }
}
