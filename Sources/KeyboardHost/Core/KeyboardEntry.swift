import PluginManifest
import PluginProtocol

/// An enabled keyboard as the core knows it: what its manifest says and what the user granted.
public struct KeyboardEntry: Sendable, Equatable {
  public var identifier: String
  public var displayName: String
  public var isASCIICapable: Bool
  public var primaryLanguage: String?
  /// Whether its text runs from right to left.
  public var prefersRightToLeft: Bool
  /// Whether the user's grant is in force. A process is never loosened: when it changes the
  /// process ends and a new one starts.
  public var hasFullAccess: Bool
  /// Services that the manifest has a reason for, and those of them that are granted.
  public var declaredServices: Set<KeyboardService>
  public var services: Set<KeyboardService>
  /// Stands for all that a running process was started with (version, policy, grants). When it
  /// changes the process ends and a new one starts.
  public var launchKey: String
  public var settings: [Setting]
  /// Whether the user runs it under a debugger, in this run: it waits for one when it starts, is
  /// given time as long as one is attached, and is ended where others are frozen.
  public var isDebugged = false

  public init(
    identifier: String, displayName: String, isASCIICapable: Bool = false,
    primaryLanguage: String? = nil, hasFullAccess: Bool = false, launchKey: String = "",
    settings: [Setting] = [], prefersRightToLeft: Bool = false,
    declaredServices: Set<KeyboardService> = [], services: Set<KeyboardService> = []
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.isASCIICapable = isASCIICapable
    self.primaryLanguage = primaryLanguage
    self.hasFullAccess = hasFullAccess
    self.launchKey = launchKey
    self.settings = settings
    self.prefersRightToLeft = prefersRightToLeft
    self.declaredServices = declaredServices
    self.services = services
  }
}
