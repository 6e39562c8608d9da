import LinuxSystem

/// Tells one writing of the settings file from the next: every change replaces the file, or on a full
/// disk writes over it.
struct SettingsStamp: Equatable {
  /// Nil where there is no file, or none that can be looked at.
  private let status: FileStatus?
  private let bytes: [UInt8]?

  fileprivate init(path: String) {
    bytes = try? OpenFile.contents(of: path, limit: SettingsStore.sizeLimit)
    status = try? FileStatus(path: path, followingLinks: true)
  }
}

extension SettingsStore {
  /// The file as it is.
  func stamp() -> SettingsStamp { SettingsStamp(path: path) }
}
