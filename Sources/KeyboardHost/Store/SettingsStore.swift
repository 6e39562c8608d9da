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

  /// Changes the settings under the lock. When the body throws, nothing is changed.
  /// - Parameters:
  ///   - change: makes the change and returns what the caller wants to know.
  ///   - record: called with the result before the change takes effect; when it throws, nothing
  ///     is changed. The place for the audit line.
  public func update<Result>(
    _ change: (inout HostSettings) throws(StoreError) -> Result,
    recording record: (Result) throws(StoreError) -> Void = { (_) throws(StoreError) in }
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
    let result = try change(&after)
    try record(result)
    if after != before {
      try fileOperation { () throws(FileError) in
        try folder.replaceFile(FileName(fileName), with: after.encoded(), mode: 0o600)
      }
    }
    return result
  }
}
