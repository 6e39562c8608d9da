import CLinux

/// A detached copy of what is mounted somewhere, to be put somewhere else.
public struct MountTree: ~Copyable {
  /// MOUNT_ATTR_*.
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// MOUNT_ATTR_RDONLY.
    public static let readOnly = Attributes(rawValue: 1)
    /// MOUNT_ATTR_NOSUID.
    public static let noSetUser = Attributes(rawValue: 2)
    /// MOUNT_ATTR_NODEV.
    public static let noDevices = Attributes(rawValue: 4)
    /// MOUNT_ATTR_NOEXEC.
    public static let noExecution = Attributes(rawValue: 8)
  }

  private let descriptor: FileDescriptor

  /// open_tree(2), Linux 5.2: the file or folder at `path`, links followed, and all that is mounted
  /// beneath it.
  public init(copying path: String) throws(Errno) {
    descriptor = FileDescriptor(
      owning: Int32(try Errno.check(unsafe clinux_copy_tree(path))))
  }

  /// What the tree is at its top: a file or a folder.
  public borrowing func status() throws(Errno) -> DescriptorStatus { try descriptor.status() }

  /// mount_setattr(2), Linux 5.12: for every mount of the tree.
  public borrowing func set(_ attributes: Attributes) throws(Errno) {
    _ = try Errno.check(clinux_tree_attributes(descriptor.rawValue, attributes.rawValue))
  }

  /// move_mount(2): `target` is a file for a file, a folder for a folder.
  public borrowing func attach(to target: String) throws(Errno) {
    _ = try Errno.check(unsafe clinux_attach_tree(descriptor.rawValue, target))
  }
}

/// Changes of this process's own mount namespace.
public enum Mounts {
  /// From here on nothing that is mounted or unmounted reaches another namespace.
  public static func makePrivate() throws(Errno) {
    // MS_REC | MS_PRIVATE
    _ = try Errno.check(unsafe clinux_mount("none", "/", nil, 0x4000 | 0x40000, nil))
  }

  /// An empty file system in memory.
  ///
  /// - Parameter options: tmpfs(5), for example `size=4096k,mode=0755`.
  public static func memory(
    at target: String, options: String, attributes: MountTree.Attributes
  ) throws(Errno) {
    // MS_RDONLY, MS_NOSUID, MS_NODEV and MS_NOEXEC are the same bits.
    _ = try Errno.check(
      unsafe clinux_mount("tmpfs", target, "tmpfs", UInt(attributes.rawValue), options))
  }

  /// Makes what is mounted at `target` read-only, for this mount alone.
  public static func makeReadOnly(
    _ target: String, attributes: MountTree.Attributes
  ) throws(Errno) {
    // MS_REMOUNT | MS_BIND | MS_RDONLY
    _ = try Errno.check(
      unsafe clinux_mount("none", target, nil, 0x20 | 0x1000 | 1 | UInt(attributes.rawValue), nil))
  }

  /// Makes the working directory, which must be a mount, the root; the old root is gone.
  public static func pivotToWorkingDirectory() throws(Errno) {
    _ = try Errno.check(clinux_pivot_here())
    _ = try Errno.check(unsafe clinux_unmount("."))
    try ProcessControl.changeDirectory("/")
  }

  /// mkdir(2); a folder that is there already is no error.
  public static func makeDirectory(_ path: String, permissions: UInt32) throws(Errno) {
    do {
      _ = try Errno.check(unsafe clinux_mkdir(path, permissions))
    } catch {
      if error != .fileExists { throw error }
    }
  }

  /// symlink(2).
  public static func makeLink(_ path: String, to destination: String) throws(Errno) {
    _ = try Errno.check(unsafe clinux_symlink(destination, path))
  }
}
