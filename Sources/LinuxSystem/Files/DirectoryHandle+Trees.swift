import Glibc

extension DirectoryHandle {
  /// Opens a folder by absolute path, making what is missing of it.
  /// - Parameters:
  ///   - mode: the permissions of the folder itself when it is made, whatever the umask.
  ///   - parentMode: those of the folders above it that are made. By default what the XDG
  ///     specification says, 0700, and for root 0711, so that other ids can walk through.
  package static func make(
    path: String, mode: UInt32, parentMode: UInt32 = geteuid() == 0 ? 0o711 : 0o700
  ) throws(FileError) -> DirectoryHandle {
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw FileError("make the folder", path, EINVAL)
    }
    var reached = ""
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    for (index, part) in parts.enumerated() {
      reached += "/" + part
      let partMode = mode_t(index == parts.count - 1 ? mode : parentMode)
      if unsafe mkdir(reached, partMode) == 0 {
        guard unsafe chmod(reached, partMode) == 0 else {
          throw FileError("set the permissions of", reached)
        }
        continue
      }
      // EROFS and EACCES come before EEXIST on some file systems: opening decides.
      guard errno == EEXIST || errno == EROFS || errno == EACCES else {
        throw FileError("make the folder", reached)
      }
    }
    return try DirectoryHandle(path: reached.isEmpty ? "/" : reached, followingLinks: true)
  }

  /// Removes a name with everything below it. Links are removed, never followed.
  ///
  /// What is below may have been made by a hostile program: however deep it is, this uses one
  /// descriptor and no recursion, since each folder that is not empty is first moved up to stand
  /// beside the one being removed. The program may still run, until its host ends it: what it takes
  /// away by itself is gone, and what it makes meanwhile is removed too.
  /// - Parameter patience: how long to go on against such a program, in milliseconds.
  package func removeTree(
    _ name: FileName, patience: UInt64 = 5_000
  ) throws(FileError) {
    guard try status(name).kind == .directory else { return try removeFile(name) }
    let end = MonotonicClock.nanoseconds + patience * 1_000_000
    var pending = [name]
    var serial = 0
    while let next = pending.last {
      try removeContents(of: next, &pending, &serial)
      if unsafe unlinkat(descriptor, next.characters, AT_REMOVEDIR) != 0, errno != ENOENT {
        // Somebody has made something in it since.
        guard errno == ENOTEMPTY, MonotonicClock.nanoseconds < end else {
          throw FileError("remove the folder", path(next))
        }
        usleep(1_000)
        continue
      }
      // What was moved up stands before it.
      pending.removeLast()
    }
  }

  /// Empties a folder; folders in it that are not empty come to stand beside it.
  private func removeContents(
    of next: FileName, _ pending: inout [FileName], _ serial: inout Int
  ) throws(FileError) {
    do throws(FileError) {
      let folder = try openForRemoval(next)
      for entry in try folder.names() {
        do throws(FileError) {
          try remove(entry, from: folder, &pending, &serial)
        } catch  where error.code == ENOENT {}
      }
    } catch  where error.code == ENOENT {}
  }

  private func remove(
    _ entry: FileName, from folder: borrowing DirectoryHandle, _ pending: inout [FileName],
    _ serial: inout Int
  ) throws(FileError) {
    guard try folder.status(entry).kind == .directory else { return try folder.removeFile(entry) }
    guard unsafe unlinkat(folder.descriptor, entry.characters, AT_REMOVEDIR) != 0 else { return }
    // The moved folder must be ours to write, or renaming it is refused.
    if geteuid() != 0 { try? folder.permitOwner(entry) }
    var place = FileName(".removed-\(getpid())-\(serial)")
    while try contains(place) {
      serial += 1
      place = FileName(".removed-\(getpid())-\(serial)")
    }
    serial += 1
    try folder.rename(entry, to: place, in: self)
    pending.insert(place, at: 0)
  }

  private func openForRemoval(_ name: FileName) throws(FileError) -> DirectoryHandle {
    // A folder of our own that may not be listed, entered or changed. Root needs no permissions, and
    // changes none.
    if geteuid() != 0, try status(name).permissions & 0o700 != 0o700 { try? permitOwner(name) }
    return try openDirectory(name)
  }

  /// Gives a folder's owner all rights to it. The folder itself is held meanwhile, so that a link
  /// put in its place by a program that still runs is refused and never followed.
  package func permitOwner(_ name: FileName) throws(FileError) {
    let flags = OpenOptions.pathOnly.rawValue | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let opened = unsafe openat(descriptor, name.characters, flags, 0)
    guard opened >= 0 else { throw FileError("open the folder", path(name)) }
    defer { close(opened) }
    // fchmod(2) takes no descriptor that was opened for its path alone.
    guard unsafe chmod("/proc/self/fd/\(opened)", 0o700) == 0 else {
      throw FileError("set the permissions of", path(name))
    }
  }

  /// Replaces a file's content in one step: a reader sees the old or the new, never a part, also
  /// after a crash.
  package func replaceFile(
    _ name: FileName, with bytes: [UInt8], mode: UInt32
  ) throws(FileError) {
    try write(bytes, mode: mode, beside: name) { (temporary) throws(FileError) in
      try rename(temporary, to: name, in: self)
    }
  }

  /// Replaces a file's content in one step, in the room that another file of the folder has: on
  /// file systems that write in place it needs no free block. The other file is gone afterwards,
  /// also when it fails.
  package func replaceFile(
    _ name: FileName, with bytes: [UInt8], mode: UInt32, inRoomOf reserve: FileName
  ) throws(FileError) {
    do throws(FileError) {
      let file = try openFile(reserve, flags: O_WRONLY)
      guard try file.status().kind == .regular else {
        throw FileError("write", path(reserve), EINVAL)
      }
      try file.write(bytes)
      try file.truncate(to: bytes.count)
      try file.setPermissions(mode)
      try file.synchronize()
      try rename(reserve, to: name, in: self)
    } catch {
      try? removeFile(reserve)
      throw error
    }
    try synchronize()
  }

  /// Writes over a file where it stands, with the filler after the bytes up to its old length, so
  /// that no block is needed. Not in one step: after a crash the file may hold part of both.
  /// - Returns: false, and nothing is changed, if the file is not as long as the bytes.
  package func overwriteFile(
    _ name: FileName, with bytes: [UInt8], filler: UInt8
  ) throws(FileError) -> Bool {
    let file = try openFile(name, flags: O_WRONLY)
    let status = try file.status()
    guard status.kind == .regular, status.size >= bytes.count else { return false }
    try file.write(bytes + [UInt8](repeating: filler, count: status.size - bytes.count))
    try file.synchronize()
    return true
  }

  /// Makes a file with its whole content in one step. The error is `EEXIST` where the name is
  /// taken, by a link that leads nowhere too.
  package func makeFile(
    _ name: FileName, with bytes: [UInt8], mode: UInt32
  ) throws(FileError) {
    try write(bytes, mode: mode, beside: name) { (temporary) throws(FileError) in
      try rename(temporary, toNew: name)
    }
  }

  private func write(
    _ bytes: [UInt8], mode: UInt32, beside name: FileName,
    _ finish: (FileName) throws(FileError) -> Void
  ) throws(FileError) {
    let temporary = FileName(".\(name).\(getpid()).new")
    if try contains(temporary) { try removeFile(temporary) }
    do {
      let file = try openFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      try file.setPermissions(mode)
      try file.write(bytes)
      try file.synchronize()
      try finish(temporary)
    } catch {
      try? removeFile(temporary)
      throw error
    }
    try synchronize()
  }
}
