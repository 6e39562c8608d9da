import LinuxSystem

/// The folders whose contacts' names are part of the lexicon. None at first: the lexicon goes to
/// every keyboard that asks for it, so the user says whose names it has.
public struct ContactFolders: Sendable {
  /// The most folders there may be.
  public static let countLimit = 16
  private let settings: SettingsStore

  public init(paths: HostPaths) { settings = SettingsStore(paths: paths) }

  public func list() throws(StoreError) -> [String] { try settings.load().contactFolders }

  /// Adds a folder.
  /// - Parameter path: a relative one counts from the working folder.
  public func add(_ path: String, log: AuditLog) throws(StoreError) {
    let folder = Self.absolute(path)
    guard let fault = HostSettings.faultOfFolder(folder) else {
      try Self.check(folder)
      return try settings.update(log: log) { (settings) throws(StoreError) in
        guard !settings.contactFolders.contains(folder) else { return PlannedChange(result: ()) }
        guard settings.contactFolders.count < Self.countLimit else {
          throw StoreError(.refused, "there are \(Self.countLimit) folders already")
        }
        settings.contactFolders.append(folder)
        return PlannedChange(result: ())
      }
    }
    throw StoreError(.wrongUse, "the folder `\(path)` \(fault)")
  }

  /// Without what stands at the end of a path that was completed by a shell, and whole.
  private static func absolute(_ path: String) -> String {
    var whole = path
    if !path.isEmpty, !path.hasPrefix("/"), let folder = DirectoryHandle.workingDirectory {
      whole = path == "." ? folder : folder + "/" + path
    }
    while whole.count > 1, whole.hasSuffix("/") { whole.removeLast() }
    return whole
  }

  /// A name that was mistyped is told at once, and not when the names are missed.
  private static func check(_ folder: String) throws(StoreError) {
    let status: FileStatus
    do throws(FileError) {
      status = try FileStatus(path: folder, followingLinks: true)
    } catch {
      throw StoreError(.refused, "names cannot be read from `\(folder)`: \(error)")
    }
    guard status.kind != .directory else { return }
    throw StoreError(
      .refused, "`\(folder)` is no folder: name the folder that the vCards lie in")
  }

  public func remove(_ path: String, log: AuditLog) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      let folder = settings.contactFolders.contains(path) ? path : Self.absolute(path)
      guard let index = settings.contactFolders.firstIndex(of: folder) else {
        throw StoreError(
          .refused,
          "names are not read from `\(folder)`: `keyhost contacts list` shows the folders")
      }
      settings.contactFolders.remove(at: index)
      return PlannedChange(result: (), takesAway: true)
    }
  }
}
