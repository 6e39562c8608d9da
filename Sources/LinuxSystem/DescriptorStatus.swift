import CLinux
import Glibc

/// What fstat(2) says about an open file.
public struct DescriptorStatus: Sendable, Equatable {
  public enum Kind: Sendable { case regular, directory, symbolicLink, other }

  public let device: UInt64
  public let inode: UInt64
  public let kind: Kind
  /// The twelve permission bits.
  public let permissions: UInt32
  public let owner: UInt32
  public let group: UInt32
  /// In bytes.
  public let size: Int64

  init(_ found: clinux_file_status) {
    device = found.device
    inode = found.inode
    kind =
      switch found.mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    permissions = found.mode & 0o7777
    owner = found.owner
    group = found.group
    size = found.size
  }
}
