import PluginManifest
import TerminalText

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
  /// What is wrong with the app that a keyboard belongs to: its id begins with the app's.
  public func fault(ofKeyboard identifier: String) -> Fault? {
    faults.filter { identifier.hasPrefix($0.app + ".") }.max { $0.app.count < $1.app.count }
  }
  /// The keyboard of that id.
  public func keyboard(_ identifier: String) -> InstalledKeyboard? {
    keyboards.first { $0.manifest.identifier == identifier }
  }
}

extension AppListing.Fault {
  /// One sentence for all places that meet the damage.
  public var story: String {
    "its app \(VisibleText.escape(app)) is damaged: \(error). Install the app again"
  }
}
