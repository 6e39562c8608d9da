import CLinux
import Glibc

/// An open file that is closed when the value goes: whole reads and whole writes.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  /// For messages.
  package let path: String

  package init(adopting descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens a path itself; a link at its end is refused.
  package init(path: String, flags: Int32 = O_RDONLY, mode: UInt32 = 0) throws(FileError) {
    let descriptor = unsafe openat(
      AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, mode_t(mode))
    guard descriptor >= 0 else { throw FileError("open", path) }
    self.init(adopting: descriptor, path: path)
  }

  /// Opens a path for reading, following links: for files that are not the bundle's own.
  package init(followingLinksTo path: String) throws(FileError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe openat(AT_FDCWD, path, flags, 0)
    guard descriptor >= 0 else { throw FileError("open", path) }
    self.init(adopting: descriptor, path: path)
  }

  deinit { close(descriptor) }

  /// Whether the file carries file capabilities (capabilities(7)).
  package var hasCapabilities: Bool {
    unsafe fgetxattr(descriptor, "security.capability", nil, 0) > 0
  }

  package func status() throws(FileError) -> FileStatus {
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0 else {
      throw FileError("read the status of", path)
    }
    return FileStatus(raw)
  }

  /// Reads from the present place on, at most `limit` bytes; longer content is cut there.
  package func read(upTo limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = unsafe Glibc.read(descriptor, &chunk, wanted)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("read", path)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  /// Reads at an offset without moving the file's place.
  package func read(at offset: Int, upTo limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = unsafe pread(descriptor, &chunk, wanted, off_t(offset + bytes.count))
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("read", path)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    try write(bytes[...])
  }

  package func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("write", path)
      }
      rest = rest.dropFirst(count)
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

  package func truncate(to length: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileError("shorten", path) }
  }

  /// Makes room on the disk for the first `length` bytes, and the file at least so long:
  /// `posix_fallocate(3)`.
  package func allocate(_ length: Int) throws(FileError) {
    var code: Int32
    // It returns the error, and leaves `errno` alone.
    repeat { code = posix_fallocate(descriptor, 0, off_t(length)) } while code == EINTR
    guard code == 0 else { throw FileError("make room for", path, code) }
  }

  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("write to the disk", path) }
  }

  /// Takes the exclusive lock of `flock(2)`, waiting at most so long; false when another process
  /// still holds it then. A stopped process that holds a lock must not be able to stop this one.
  package func lock(waitingMilliseconds limit: Int) throws(FileError) -> Bool {
    var waited = 0
    while true {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw FileError("lock", path) }
      if waited >= limit { return false }
      usleep(1000)
      waited += 1
    }
  }

  package func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Reads a whole file, refusing one that is longer than the limit or no regular file.
  package static func contents(
    of path: String, limit: Int
  ) throws(FileError) -> [UInt8] {
    // Without O_NONBLOCK opening a FIFO would wait for a writer for ever.
    let file = try OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK)
    guard try file.status().kind == .regular else { throw FileError("read", path, EINVAL) }
    let bytes = try file.read(upTo: limit + 1)
    guard bytes.count <= limit else { throw FileError("read", path, EFBIG) }
    return bytes
  }
}
