import Glibc
import LinuxSystem

/// Room on the disk that is kept for taking rights away, beside the file that then has to be
/// written. A disk that somebody has filled, a keyboard perhaps, must not be what keeps it running.
///
/// There are several files, so that several changes find room before it can be made anew.
struct DiskReserve {
  /// How many files there are: so many changes can be made on a full disk.
  static let count = 4
  /// The room of each, in bytes.
  static let fileSize = 64 << 10

  /// Room for the file of this name in a folder.
  init(for name: String) { self.name = name }

  private let name: String

  var files: [FileName] { (1...Self.count).map { FileName("\(name).reserve.\($0)") } }

  /// Makes what is missing of it, as far as there is room for that now.
  /// - Parameter size: what each file has to hold, in bytes, if that is more than its usual size.
  func refill(in folder: borrowing DirectoryHandle, size: Int = 0) {
    let wanted = max(Self.fileSize, size)
    for file in files {
      // A copy of it may be sparse, with no room behind it.
      if let status = try? folder.status(file), status.kind == .regular, status.size >= wanted,
        status.allocated >= wanted
      {
        continue
      }
      do throws(FileError) {
        if try folder.contains(file) { try folder.removeFile(file) }
        let made = try folder.openFile(file, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try made.allocate(wanted)
      } catch {
        try? folder.removeFile(file)
        // Without room there is none for the next either; something else in its place is its own.
        if error.isFull { return }
      }
    }
  }

  /// Gives up the room of one file.
  /// - Returns: whether there was one.
  func release(in folder: borrowing DirectoryHandle) -> Bool {
    for file in files where (try? folder.removeFile(file)) != nil { return true }
    return false
  }

  /// Replaces the file that the room is kept for.
  func replace(
    with bytes: [UInt8], mode: UInt32, in folder: borrowing DirectoryHandle
  ) throws(FileError) {
    for file in files {
      do throws(FileError) {
        return try folder.replaceFile(FileName(name), with: bytes, mode: mode, inRoomOf: file)
      } catch  where error.isFull || error.code == ENOENT { continue }
    }
    throw FileError("write", folder.path + "/" + name, ENOSPC)
  }
}
