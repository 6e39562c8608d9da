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
