import Glibc
import LinuxSystem

/// What a walk through a bundle does with what it has checked.
protocol BundleSink: ~Copyable {
  func makeFolder(_ name: FileName) throws(FileError) -> Self
  func makeLink(_ name: FileName, to target: FileName) throws(FileError)
  /// - Returns: how many bytes were taken from the file.
  func takeFile(
    _ name: FileName, from file: borrowing OpenFile, isExecutable: Bool, limit: Int
  ) throws(FileError) -> Int
  func finishFolder() throws(FileError)
}

/// Takes nothing: for a walk that only checks.
struct NoSink: BundleSink {
  func makeFolder(_ name: FileName) -> NoSink { NoSink() }
  func makeLink(_ name: FileName, to target: FileName) {}
  func takeFile(
    _ name: FileName, from file: borrowing OpenFile, isExecutable: Bool, limit: Int
  ) throws(FileError) -> Int { try file.status().size }
  func finishFolder() {}
}

/// Copies into a folder, with permissions of its own: 0755 for folders and programs, 0644 for the
/// rest, never set-user-id, without extended attributes, each file an inode of its own.
/// Nothing is on the disk for certain before the whole copy is synchronized.
struct CopySink: BundleSink, ~Copyable {
  let folder: DirectoryHandle

  func makeFolder(_ name: FileName) throws(FileError) -> CopySink {
    try folder.makeDirectory(name, mode: 0o700)
    return CopySink(folder: try folder.openDirectory(name))
  }

  func makeLink(_ name: FileName, to target: FileName) throws(FileError) {
    try folder.makeLink(name, to: target)
  }

  func takeFile(
    _ name: FileName, from file: borrowing OpenFile, isExecutable: Bool, limit: Int
  ) throws(FileError) -> Int {
    let copy = try folder.openFile(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    var total = 0
    while true {
      let chunk = try file.read(upTo: 1 << 20)
      if chunk.isEmpty { break }
      total += chunk.count
      guard total <= limit else { throw FileError("copy", file.path, EFBIG) }
      try copy.write(chunk)
    }
    try copy.setPermissions(isExecutable ? 0o755 : 0o644)
    return total
  }

  func finishFolder() throws(FileError) {
    try folder.setPermissions(0o755)
  }
}
