import PluginManifest

/// What is installed: the apps that can be used, and those that cannot with the reason.
public struct AppListing: Sendable, Equatable {
  /// An installed bundle that does not pass the checks any more: its interpreter was removed from
  /// the system, or somebody changed its files.
  public struct Fault: Sendable, Equatable {
    /// The app's id.
    public var app: String
    public var error: BundleError
  }
  /// Sorted by id.
  public var apps: [InstalledApp] = []
  public var faults: [Fault] = []

  /// The ids of all apps, the damaged ones included.
  var identifiers: [String] { apps.map(\.manifest.identifier) + faults.map(\.app) }
  /// All keyboards of all apps.
  public var keyboards: [InstalledKeyboard] { apps.flatMap(\.keyboards) }
  /// The keyboard of that id.
  public func keyboard(_ identifier: String) -> InstalledKeyboard? {
    keyboards.first { $0.manifest.identifier == identifier }
  }
}
