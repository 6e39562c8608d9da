import Glibc
import LinuxSystem

/// How much may be kept in one container: a keyboard's private one, or the one that an app's
/// keyboards share.
public struct ContainerQuota: Sendable, Equatable {
  /// Room on the disk, in bytes, folders included.
  public var bytes: UInt64

  /// The most files, folders and links. Each is an inode of the file system, which has few of them,
  /// and a moment of whoever counts: 10,000 files were measured to take 25 ms. User dictionaries and
  /// settings are a few files.
  public static let maximumEntries = 10_000
  /// The most folders, each of which takes some 15 µs to look into.
  public static let maximumFolders = 1_000

  public init(bytes: UInt64) { self.bytes = bytes }

  /// What a folder holds beyond the quota, for people, for example "more than 128 MB in"; nil if
  /// nothing, or if there is no such folder. Cheap enough for every start: no more names are looked
  /// at than there may be, and none below 32 folders.
  public func excess(of path: String) -> String? { excess(of: path, held: 0) }

  func excess(of path: String, held: UInt64) -> String? {
    let folder: DirectoryHandle
    do throws(FileError) { folder = try DirectoryHandle(path: path) } catch {
      return error.code == ENOENT ? nil : Self.unmeasurable
    }
    return
      switch folder.usage(
        bytes: bytes, entries: Self.maximumEntries, folders: Self.maximumFolders, held: held)
    {
    case .within: nil
    case .overBytes: "more than \(bytes >> 20) MB in"
    case .overEntries:
      "more than \(Self.maximumEntries) files or \(Self.maximumFolders) folders in"
    case .unmeasurable: Self.unmeasurable
    }
  }

  private static let unmeasurable = "folders that cannot be measured in"
}
