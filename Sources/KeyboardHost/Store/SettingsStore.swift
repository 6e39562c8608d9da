import Glibc
import LinuxSystem
import TerminalText

/// The settings file. It is replaced in one step under a lock, so that a reader sees the old or
/// the new settings and of two writers neither loses its change. A damaged file is an error that
/// names it and the place; it is kept as it is, never reset.
public struct SettingsStore: Sendable {
  /// A larger settings file is damaged, not large.
  static let sizeLimit = 4 << 20
  /// How long another process may hold the lock, in milliseconds.
  static let lockWait = 5_000

  /// The settings file's path.
  public let path: String

  public init(paths: HostPaths) { path = paths.settingsFile }

  private var folderPath: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
  private var fileName: String { String(path[path.index(after: path.lastIndex(of: "/")!)...]) }

  /// The settings as they are; the first settings when there is no file yet.
  public func load() throws(StoreError) -> HostSettings {
    let bytes: [UInt8]
    do {
      bytes = try OpenFile.contents(of: path, limit: Self.sizeLimit)
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return HostSettings()
    } catch {
      throw StoreError(.file, "\(error)")
    }
    do { return try HostSettings(decoding: bytes) } catch {
      throw StoreError(
        .damaged,
        "\(path):\(error.line):\(error.column): \(VisibleText.escape(error.message)). The file is "
          + "kept as it is: correct it, or move it away to begin anew with no keyboard enabled")
    }
  }

  /// Changes the settings under the lock, in this order: the plan is made, its audit lines are
  /// written, the settings are replaced, the plan is applied. When one step fails the later ones do
  /// not happen; when applying fails the settings are put back.
  func update<Result>(
    log: AuditLog, _ plan: (inout HostSettings) throws(StoreError) -> PlannedChange<Result>
  ) throws(StoreError) -> Result {
    let folder = try fileOperation { () throws(FileError) in
      try DirectoryHandle.make(path: folderPath, mode: 0o700)
    }
    let lock = try fileOperation { () throws(FileError) in
      try folder.openFile(FileName(fileName + ".lock"), flags: O_RDWR | O_CREAT, mode: 0o600)
    }
    let isLocked = try fileOperation { () throws(FileError) in
      try lock.lock(waitingMilliseconds: Self.lockWait)
    }
    guard isLocked else {
      throw StoreError(
        .busy, "another process has held \(path).lock for \(Self.lockWait / 1000) seconds")
    }
    defer { lock.unlock() }
    let before = try load()
    var after = before
    let change = try plan(&after)
    for event in change.events {
      do { try log.write(event) } catch {
        change.cancel()
        throw StoreError(.audit, "nothing was changed, since it could not be recorded: \(error)")
      }
    }
    do throws(StoreError) {
      if after != before { try save(after, in: folder) }
      do throws(StoreError) { try change.apply() } catch {
        if after != before { try? save(before, in: folder) }
        throw error
      }
    } catch {
      change.cancel()
      // The lines above said that it happens; this one says that it did not.
      for var event in change.events {
        event.fields.append(AuditField("outcome", .term("failed")))
        try? log.write(event)
      }
      throw error
    }
    return change.result
  }

  private func save(
    _ settings: HostSettings, in folder: borrowing DirectoryHandle
  ) throws(StoreError) {
    do { try folder.replaceFile(FileName(fileName), with: settings.encoded(), mode: 0o600) } catch {
      throw StoreError(.file, VisibleText.escape("\(error)"))
    }
  }
}
