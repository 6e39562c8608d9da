/// The folders whose contacts' names are part of the lexicon. None at first: the lexicon goes to
/// every keyboard that asks for it, so the user says whose names it has.
public struct ContactFolders: Sendable {
  /// The most folders there may be.
  public static let countLimit = 16
  private let settings: SettingsStore

  public init(paths: HostPaths) { settings = SettingsStore(paths: paths) }

  public func list() throws(StoreError) -> [String] { try settings.load().contactFolders }

  /// Adds a folder by its absolute path.
  public func add(_ folder: String, log: AuditLog) throws(StoreError) {
    guard let fault = HostSettings.faultOfFolder(folder) else {
      return try settings.update(log: log) { (settings) throws(StoreError) in
        guard !settings.contactFolders.contains(folder) else { return PlannedChange(result: ()) }
        guard settings.contactFolders.count < Self.countLimit else {
          throw StoreError(.refused, "there are \(Self.countLimit) folders already")
        }
        settings.contactFolders.append(folder)
        return PlannedChange(result: ())
      }
    }
    throw StoreError(.wrongUse, "the folder \(fault)")
  }

  public func remove(_ folder: String, log: AuditLog) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      guard let index = settings.contactFolders.firstIndex(of: folder) else {
        throw StoreError(.refused, "names are not read from that folder")
      }
      settings.contactFolders.remove(at: index)
      return PlannedChange(result: (), takesAway: true)
    }
  }
}
