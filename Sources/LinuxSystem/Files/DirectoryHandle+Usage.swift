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
  }

  /// Compares what lies below this folder with limits, without following links, and stops at the
  /// first that is passed.
  package func usage(bytes: UInt64, entries: Int, depth: Int = 32) -> FolderUsage {
    var count = Count()
    return Self.add(
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), to: &count,
      blocks: bytes / 512, entries: entries, depth: depth)
  }

  private static func add(
    _ opened: Int32, to count: inout Count, blocks: UInt64, entries: Int, depth: Int
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
      guard count.entries <= entries else { return .overEntries }
      var status = stat()
      guard unsafe fstatat(opened, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      count.blocks += UInt64(clamping: status.st_blocks)
      guard count.blocks <= blocks else { return .overBytes }
      guard status.st_mode & S_IFMT == S_IFDIR else { continue }
      let below = add(
        unsafe openat(opened, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0),
        to: &count, blocks: blocks, entries: entries, depth: depth - 1)
      guard below == .within else { return below }
    }
    return .within
  }
}
