import CLinux
import Glibc

/// An open folder. All names are looked up below it, and no link is ever followed, so what is
/// done through it cannot be led elsewhere by somebody who swaps names meanwhile.
package struct DirectoryHandle: ~Copyable {
  package let descriptor: Int32
  /// For messages.
  package let path: String

  init(adopting descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens a folder by path; links on the way are followed, one at its end only when asked to.
  package init(path: String, followingLinks: Bool = false) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = unsafe openat(AT_FDCWD, path, flags, 0)
    guard descriptor >= 0 else { throw FileError("open the folder", path) }
    self.init(adopting: descriptor, path: path)
  }

  deinit { close(descriptor) }

  /// The absolute path of the working directory, or nil when it has none any more.
  package static var workingDirectory: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard unsafe getcwd(&buffer, buffer.count) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: FileName) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  package func openDirectory(_ name: FileName) throws(FileError) -> DirectoryHandle {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let opened = unsafe openat(descriptor, name.characters, flags, 0)
    guard opened >= 0 else { throw FileError("open the folder", path(name)) }
    return DirectoryHandle(adopting: opened, path: path(name))
  }

  package func openFile(
    _ name: FileName, flags: Int32 = O_RDONLY, mode: UInt32 = 0
  ) throws(FileError) -> OpenFile {
    let all = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let opened = unsafe openat(descriptor, name.characters, all, mode_t(mode))
    guard opened >= 0 else { throw FileError("open", path(name)) }
    return OpenFile(adopting: opened, path: path(name))
  }

  package func makeDirectory(_ name: FileName, mode: UInt32) throws(FileError) {
    guard unsafe mkdirat(descriptor, name.characters, mode_t(mode)) == 0 else {
      throw FileError("make the folder", path(name))
    }
  }

  package func status(_ name: FileName) throws(FileError) -> FileStatus {
    var raw = stat()
    guard unsafe fstatat(descriptor, name.characters, &raw, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw FileError("read the status of", path(name))
    }
    return FileStatus(raw)
  }

  package func ownStatus() throws(FileError) -> FileStatus {
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0 else { throw FileError("read the status of", path) }
    return FileStatus(raw)
  }

  /// Whether a name exists, a dangling link included.
  package func contains(_ name: FileName) throws(FileError) -> Bool {
    do { _ = try status(name) } catch  where error.code == ENOENT { return false }
    return true
  }

  package func linkTarget(_ name: FileName) throws(FileError) -> FileName {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlinkat(descriptor, name.characters, &buffer, buffer.count - 1)
    guard count >= 0 else { throw FileError("read the link", path(name)) }
    return FileName(characters: Array(buffer[..<count]) + [0])
  }

  package func makeLink(_ name: FileName, to target: FileName) throws(FileError) {
    guard unsafe symlinkat(target.characters, descriptor, name.characters) == 0 else {
      throw FileError("make the link", path(name))
    }
  }

  /// All names but `.` and `..`, sorted by their bytes.
  /// - Parameter limit: no more of them are read, in the order in which the folder has them.
  package func names(upTo limit: Int = .max) throws(FileError) -> [FileName] {
    // A descriptor of its own: closedir closes it, and its place in the folder is fresh.
    let own = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard own >= 0, let stream = unsafe fdopendir(own) else {
      let code = errno
      if own >= 0 { close(own) }
      throw FileError("list", path, code)
    }
    defer { unsafe closedir(stream) }
    var found: [FileName] = []
    while found.count < limit {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let start = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
      if bytes == [46, 0] || bytes == [46, 46, 0] { continue }
      found.append(FileName(characters: bytes))
    }
    guard errno == 0 || found.count >= limit else { throw FileError("list", path) }
    return found.sorted {
      $0.characters.lazy.map { UInt8(bitPattern: $0) }
        .lexicographicallyPrecedes($1.characters.lazy.map { UInt8(bitPattern: $0) })
    }
  }

  package func rename(
    _ name: FileName, to newName: FileName, in other: borrowing DirectoryHandle
  ) throws(FileError) {
    let result = unsafe renameat(
      descriptor, name.characters, other.descriptor, newName.characters)
    guard result == 0 else { throw FileError("rename \(path(name)) to", other.path(newName)) }
  }

  /// Renames within the folder, to a name that nothing has yet; else the error is `EEXIST`.
  package func rename(_ name: FileName, toNew newName: FileName) throws(FileError) {
    let result = unsafe clinux_rename_to_new_name(
      descriptor, name.characters, newName.characters)
    guard result == 0 else { throw FileError("make", path(newName)) }
  }

  /// Swaps two names in one step.
  package func exchange(_ name: FileName, with other: FileName) throws(FileError) {
    let result = unsafe clinux_exchange_names(descriptor, name.characters, other.characters)
    guard result == 0 else { throw FileError("exchange \(path(name)) with", path(other)) }
  }

  package func removeFile(_ name: FileName) throws(FileError) {
    guard unsafe unlinkat(descriptor, name.characters, 0) == 0 else {
      throw FileError("remove", path(name))
    }
  }

  package func setPermissions(_ mode: UInt32) throws(FileError) {
    guard fchmod(descriptor, mode_t(mode)) == 0 else {
      throw FileError("set the permissions of", path)
    }
  }

  package func setOwner(_ user: UInt32, group: UInt32) throws(FileError) {
    guard fchown(descriptor, user, group) == 0 else { throw FileError("set the owner of", path) }
  }

  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("write to the disk", path) }
  }

  /// Writes all of the folder's file system to the disk: one call for a whole tree.
  package func synchronizeFileSystem() throws(FileError) {
    guard clinux_sync_file_system(descriptor) == 0 else {
      throw FileError("write to the disk", path)
    }
  }
}
