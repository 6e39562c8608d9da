import Glibc

/// What a folder takes up, measured with bounded work.
package enum FolderUsage: Sendable, Equatable {
  case within
  case overBytes
  case overEntries
  /// A folder below it is nested too deep or cannot be read, so nobody knows what it holds.
  case unmeasurable
}

extension DirectoryHandle {
  private struct Count {
    var blocks: UInt64 = 0
    var entries = 0
    var folders = 0
  }

  private struct Limits {
    var blocks: UInt64
    var entries: Int
    var folders: Int
  }

  /// Compares what this folder and all below it take up with limits, without following links, and
  /// stops at the first that is passed.
  ///
  /// - Parameters:
  ///   - bytes: what may be taken up on the disk, the folders themselves included.
  ///   - entries: how many names there may be.
  ///   - folders: how many of them may be folders.
  ///   - held: blocks of 512 bytes that count beside what has a name; see ``HeldFiles``.
  package func usage(
    bytes: UInt64, entries: Int, folders: Int = .max, depth: Int = 32, held: UInt64 = 0
  ) -> FolderUsage {
    var count = Count(blocks: held)
    var own = stat()
    // A folder through which many names went does not shrink.
    if unsafe fstat(descriptor, &own) == 0 { count.blocks += UInt64(clamping: own.st_blocks) }
    let limits = Limits(blocks: bytes / 512, entries: entries, folders: folders)
    guard count.blocks <= limits.blocks else { return .overBytes }
    return Self.add(
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), to: &count, limits,
      depth: depth)
  }

  /// What lies below this folder takes up, in bytes; nil when it cannot be measured, or holds more
  /// than those limits.
  package func size(entries: Int, folders: Int = .max, depth: Int = 32) -> UInt64? {
    var count = Count()
    let named = Self.add(
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), to: &count,
      Limits(blocks: .max, entries: entries, folders: folders), depth: depth)
    guard named == .within else { return nil }
    return count.blocks.multipliedReportingOverflow(by: 512).partialValue
  }

  /// How many bytes of the file system are left for users that are not root: `fstatvfs(3)`.
  package func freeSpace() throws(FileError) -> UInt64 {
    var raw = statvfs()
    guard unsafe fstatvfs(descriptor, &raw) == 0 else {
      throw FileError("read the free space of", path)
    }
    let (bytes, overflow) = UInt64(raw.f_bavail).multipliedReportingOverflow(
      by: UInt64(raw.f_frsize))
    return overflow ? .max : bytes
  }

  private static func add(
    _ opened: Int32, to count: inout Count, _ limits: Limits, depth: Int
  ) -> FolderUsage {
    guard opened >= 0 else {
      // What went away meanwhile takes up nothing.
      return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .within : .unmeasurable
    }
    guard depth > 0, let stream = unsafe fdopendir(opened) else {
      close(opened)
      return .unmeasurable
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      if unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
      count.entries += 1
      guard count.entries <= limits.entries else { return .overEntries }
      var status = stat()
      guard unsafe fstatat(opened, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // A folder that may be listed and not entered hides what is in it.
        if errno == ENOENT { continue }
        return .unmeasurable
      }
      count.blocks += UInt64(clamping: status.st_blocks)
      guard count.blocks <= limits.blocks else { return .overBytes }
      guard status.st_mode & S_IFMT == S_IFDIR else { continue }
      count.folders += 1
      guard count.folders <= limits.folders else { return .overEntries }
      let below = add(
        unsafe openat(opened, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0),
        to: &count, limits, depth: depth - 1)
      guard below == .within else { return below }
    }
    return .within
  }
}
