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
  static let lockWait = 20_000

  /// The settings file's path.
  public let path: String

  public init(paths: HostPaths) { path = paths.settingsFile }

  private var lastSlash: String.Index {
    path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
  }
  private var folderPath: String { String(path[..<lastSlash]) }
  private var fileName: String { String(path[path.utf8.index(after: lastSlash)...]) }

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
  ///
  /// A change that only takes away is not undone, and goes on without its audit lines if they cannot
  /// be written; on a full disk it takes the room that is kept for it.
  ///
  /// Whatever the change is: when it returns no keyboard runs any more that has more than the new
  /// settings give. Where that cannot be had, the change is made and an error says who still runs.
  ///
  /// - Parameters:
  ///   - log: nil if it cannot be had, with which only taking away is possible.
  ///   - unrecorded: hears why a change that was made is not in the log.
  func update<Result>(
    log: AuditLog?, unrecorded: (String) -> Void = { _ in },
    _ plan: (inout HostSettings) throws(StoreError) -> PlannedChange<Result>
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
    removeLeftovers(in: folder)
    let before = try load()
    var after = before
    let change = try plan(&after)
    let takesAway = change.takesAway && after.grantsNoMore(than: before)
    do { try record(change.events, log, takesAway: takesAway) } catch {
      guard takesAway else {
        change.cancel()
        throw StoreError(.audit, "nothing was changed, since it could not be recorded: \(error)")
      }
      unrecorded(error.description)
    }
    let running = RunningKeyboards(settingsFolder: folderPath)
    // Those that a host starts from here on are started by the new settings.
    let others = try change.endsKeyboard.map { (keyboard) throws(StoreError) in
      try fileOperation { () throws(FileError) in try running.all() }
        .filter { $0.rights == nil || $0.rights?.keyboard == keyboard }
    }
    var survivors: StoreError?
    do throws(StoreError) {
      try change.prepare()
      if after != before || change.isAnnounced {
        try save(after, in: folder, takesAway: takesAway)
        // Nothing is removed under one that runs, and nobody is told that it is over before it is.
        do throws(StoreError) {
          try running.end(exceeding: after, and: others ?? [])
        } catch { survivors = error }
      }
      do throws(StoreError) { try change.apply() } catch {
        if after != before, !takesAway { try? save(before, in: folder, takesAway: false) }
        throw error
      }
    } catch {
      change.cancel()
      // The lines above said that it happens; this one says that it did not.
      for var event in change.events {
        event.fields.append(AuditField("outcome", .term("failed")))
        _ = try? log?.write(event)
      }
      throw error
    }
    refillReserve(in: folder, settings: after)
    log?.refillReserve()
    if let survivors { throw survivors }
    return change.result
  }

  /// Removes what changes that were killed half way have left. The lock is held: none is under way.
  private func removeLeftovers(in folder: borrowing DirectoryHandle) {
    for name in (try? folder.names()) ?? [] {
      guard let text = name.string, text.hasPrefix(".\(fileName)."), text.hasSuffix(".new") else {
        continue
      }
      try? folder.removeFile(name)
    }
  }

  private func record(
    _ events: [AuditEvent], _ log: AuditLog?, takesAway: Bool
  ) throws(AuditLogError) {
    guard let log else { throw AuditLogError("it cannot be opened") }
    for event in events {
      if takesAway { try log.writeTakingAway(event) } else { try log.write(event) }
    }
  }

  private func save(
    _ settings: HostSettings, in folder: borrowing DirectoryHandle, takesAway: Bool
  ) throws(StoreError) {
    do throws(StoreError) { try write(settings.encoded(), in: folder, takesAway: takesAway) } catch
    {
      throw StoreError(
        error.kind,
        "nothing was changed: the settings in \(folderPath) cannot be written (\(error)). You have to "
          + "own that folder and be allowed to write into it")
    }
  }

  private func write(
    _ bytes: [UInt8], in folder: borrowing DirectoryHandle, takesAway: Bool
  ) throws(StoreError) {
    try fileOperation { () throws(FileError) in
      do throws(FileError) {
        try folder.replaceFile(FileName(fileName), with: bytes, mode: 0o600)
      } catch  where takesAway && error.isFull {
        do throws(FileError) { try reserve.replace(with: bytes, mode: 0o600, in: folder) } catch {
          // Nothing is left but the blocks it has. A file that a crash leaves torn grants nothing.
          let space = UInt8(ascii: " ")
          let isWritten = try? folder.overwriteFile(
            FileName(fileName), with: bytes, filler: space)
          guard isWritten == true else { throw error }
        }
      }
    }
  }

  // MARK: Room for taking away

  private var reserve: DiskReserve { DiskReserve(for: fileName) }

  private func refillReserve(in folder: borrowing DirectoryHandle, settings: HostSettings) {
    // Whoever takes away writes no more than there is.
    reserve.refill(in: folder, size: settings.encoded().count)
  }

  /// Makes what is missing of the room that is kept for taking rights away on a full disk, as far as
  /// there is room for that now; nothing while another process changes the settings.
  func refillReserve() {
    guard let settings = try? load(), let folder = try? DirectoryHandle(path: folderPath),
      let lock = try? folder.openFile(
        FileName(fileName + ".lock"), flags: O_RDWR | O_CREAT, mode: 0o600),
      (try? lock.lock(waitingMilliseconds: 0)) == true
    else { return }
    defer { lock.unlock() }
    refillReserve(in: folder, settings: settings)
  }
}
