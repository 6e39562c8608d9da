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
  ///
  /// - Parameters:
  ///   - process: a process whose open files count too where they have no name any more and
  ///     lie in the folder's file system: a file that was removed takes up room while it is open.
  ///   - mappedSize: what such a file counts that is only mapped, since nobody can ask for its size.
  package func usage(
    bytes: UInt64, entries: Int, depth: Int = 32, heldBy process: Int32? = nil,
    mappedSize: UInt64 = 0
  ) -> FolderUsage {
    var count = Count()
    let named = Self.add(
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), to: &count,
      blocks: bytes / 512, entries: entries, depth: depth)
    guard named == .within, let process, let own = try? ownStatus() else { return named }
    count.blocks += Self.namelessBlocks(
      heldBy: process, on: own.device, mapped: mappedSize / 512)
    return count.blocks <= bytes / 512 ? .within : .overBytes
  }

  /// What lies below this folder takes up, in bytes, counted as by
  /// ``usage(bytes:entries:depth:heldBy:mappedSize:)``; nil when it cannot be measured, or holds more
  /// files than `entries`.
  package func size(
    entries: Int, depth: Int = 32, heldBy process: Int32? = nil, mappedSize: UInt64 = 0
  ) -> UInt64? {
    var count = Count()
    let named = Self.add(
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), to: &count,
      blocks: .max, entries: entries, depth: depth)
    guard named == .within else { return nil }
    if let process, let own = try? ownStatus() {
      count.blocks += Self.namelessBlocks(
        heldBy: process, on: own.device, mapped: mappedSize / 512)
    }
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

  /// What the open files without a name take up, in blocks of 512 bytes. Every thread is looked at,
  /// since one can be made with descriptors of its own. What cannot be read is gone, and holds
  /// nothing.
  private static func namelessBlocks(
    heldBy process: Int32, on device: UInt64, mapped: UInt64
  ) -> UInt64 {
    var blocks: UInt64 = 0
    var seen: Set<UInt64> = []
    let tasks = "/proc/\(process)/task"
    for task in (try? DirectoryHandle(path: tasks).names()) ?? [] {
      guard let open = try? DirectoryHandle(path: "\(tasks)/\(task)/fd"),
        let numbers = try? open.names()
      else { continue }
      for number in numbers {
        var status = stat()
        guard unsafe fstatat(open.descriptor, number.characters, &status, 0) == 0,
          status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 0, status.st_dev == device,
          seen.insert(UInt64(status.st_ino)).inserted
        else { continue }
        blocks += UInt64(clamping: status.st_blocks)
      }
    }
    for inode in MappedFiles.nameless(of: process, on: device) where seen.insert(inode).inserted {
      blocks += mapped
    }
    return blocks
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
