import CLinux

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
