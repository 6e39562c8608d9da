import Glibc

/// What `fstatat(2)` says of a file, without following a link.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case regular = "file"
    case directory = "folder"
    case symbolicLink = "symbolic link"
    case blockDevice = "block device"
    case characterDevice = "character device"
    case fifo = "FIFO"
    case socket = "socket"
    case unknown = "file of an unknown kind"
  }
  package let kind: Kind
  /// The permission bits with set-user-id, set-group-id and sticky: the low 12 bits.
  package let permissions: UInt32
  /// In bytes.
  package let size: Int
  /// What it takes up on the disk, in bytes.
  package let allocated: Int
  package let owner: UInt32
  package let group: UInt32
  package let inode: UInt64
  package let device: UInt64
  package let links: UInt64
  /// Seconds since 1970.
  package let modified: Int

  init(_ raw: stat) {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    case S_IFBLK: kind = .blockDevice
    case S_IFCHR: kind = .characterDevice
    case S_IFIFO: kind = .fifo
    case S_IFSOCK: kind = .socket
    default: kind = .unknown
    }
    permissions = raw.st_mode & 0o7777
    size = Int(raw.st_size)
    allocated = Int(clamping: raw.st_blocks).multipliedReportingOverflow(by: 512).partialValue
    owner = raw.st_uid
    group = raw.st_gid
    inode = UInt64(raw.st_ino)
    device = UInt64(raw.st_dev)
    links = UInt64(raw.st_nlink)
    modified = raw.st_mtim.tv_sec
  }

  package var isSetUser: Bool { permissions & UInt32(S_ISUID) != 0 }
  package var isSetGroup: Bool { permissions & UInt32(S_ISGID) != 0 }
  package var isWritableByOthers: Bool { permissions & 0o002 != 0 }
  package var isWritableByGroup: Bool { permissions & 0o020 != 0 }
  package var isExecutable: Bool { permissions & 0o111 != 0 }

  /// The status of a path, following links when asked to.
  package init(path: String, followingLinks: Bool = false) throws(FileError) {
    var raw = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard unsafe fstatat(AT_FDCWD, path, &raw, flags) == 0 else {
      throw FileError("read the status of", path)
    }
    self.init(raw)
  }
}
