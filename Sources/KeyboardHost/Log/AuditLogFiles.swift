import Glibc
import LinuxSystem

/// The files behind the audit log: the newest one, which any number of processes append to, the older
/// ones, and those that keep what the user did.
///
/// A line is in the newest file whole, or not at all. It knows nothing of what lines mean, but for
/// which of them are the user's.
final class AuditLogFiles {
  /// The path of the newest file.
  let path: String
  private let name: String
  private let folder: DirectoryHandle
  private let reserve: DiskReserve
  private let rotationSize: Int
  private let userFileSize: Int
  private let lockWait: Int
  /// The line that is written behind one that a crash has torn.
  private let noteOfTornLine: () -> [UInt8]
  private var file: OpenFile?
  private var fileIdentity: (device: UInt64, inode: UInt64) = (0, 0)

  /// What the file with what the user did has at the end of its name; the older one `.1` besides.
  static let userFile = "user"

  /// Opens the log, making its folder (mode 0700) and file (mode 0600) when they are missing, and
  /// ends a torn last line that a crash has left.
  /// - Parameters:
  ///   - rotationSize: the bytes beyond which a file does not grow.
  ///   - userFileSize: the same for the file with what the user did.
  ///   - lockWait: how long another process may hold the lock, in milliseconds.
  init(
    path: String, rotationSize: Int, userFileSize: Int, lockWait: Int,
    noteOfTornLine: @escaping () -> [UInt8]
  ) throws(AuditLogError) {
    self.path = path
    self.rotationSize = rotationSize
    self.userFileSize = userFileSize
    self.lockWait = lockWait
    self.noteOfTornLine = noteOfTornLine
    guard path.utf8.first == UInt8(ascii: "/"),
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    else {
      throw AuditLogError("\(path) is not an absolute path")
    }
    name = String(path[path.utf8.index(after: slash)...])
    reserve = DiskReserve(for: name)
    do throws(FileError) {
      folder = try DirectoryHandle.make(path: String(path[..<slash]), mode: 0o700)
      let status = try folder.ownStatus()
      // A folder that others may write to could have the log swapped or removed in it.
      if status.owner == geteuid(), status.permissions & 0o077 != 0 {
        try folder.setPermissions(0o700)
      }
    } catch {
      throw AuditLogError("\(error)", isFull: error.isFull)
    }
    try locked { (file: borrowing OpenFile) throws(FileError) in
      // On a full disk it waits for the first line that finds room.
      do throws(FileError) { try self.repairTornLine(file) } catch  where error.isFull {}
    }
  }

  /// Appends a line, which has its line feed.
  /// - Parameter isDurable: whether it is on the disk when this returns.
  func append(_ line: [UInt8], isDurable: Bool) throws(AuditLogError) {
    try locked { (file: borrowing OpenFile) throws(FileError) in
      try self.repairTornLine(file)
      try Self.appendWhole(line, to: file)
    }
    guard isDurable else { return }
    // Without the lock: a busy disk takes its time, and others have lines to write.
    do throws(FileError) { if file != nil { try file!.synchronize() } } catch {
      file = nil
      throw AuditLogError("\(error)", isFull: error.isFull)
    }
  }

  /// Makes room on a full disk, of what is kept for that.
  /// - Returns: whether there was any left.
  func releaseReserve() -> Bool { reserve.release(in: folder) }

  /// Makes what is missing of that room.
  func refillReserve() { reserve.refill(in: folder) }

  /// How many bytes of lines of each share are there of that day.
  func written(on day: String) -> LogBudget.Tally {
    let files = [name] + (1...AuditLog.keptFiles).map { "\(name).\($0)" }
    return LogBudget.written(on: day, in: folder, files: files, limit: 2 * rotationSize)
  }

  // MARK: One file

  /// Appends under the lock; what a full disk leaves of a line is taken away again.
  private static func appendWhole(
    _ line: [UInt8], to file: borrowing OpenFile
  ) throws(FileError) {
    let size = try file.status().size
    do { try file.write(line) } catch {
      try? file.truncate(to: size)
      throw error
    }
  }

  private func repairTornLine(_ file: borrowing OpenFile) throws(FileError) {
    let size = try file.status().size
    guard size > 0, try file.read(at: size - 1, upTo: 1) != [UInt8(ascii: "\n")] else { return }
    try Self.appendWhole([UInt8(ascii: "\n")] + noteOfTornLine(), to: file)
  }

  /// Runs the body with the newest file open, under the lock that all writers take, after
  /// rotating when the file is full.
  private func locked(
    _ body: (borrowing OpenFile) throws(FileError) -> Void
  ) throws(AuditLogError) {
    do throws(FileError) {
      let lock = try folder.openFile(
        FileName(name + ".lock"), flags: O_RDWR | O_CREAT, mode: 0o600)
      guard try lock.lock(waitingMilliseconds: lockWait) else {
        throw FileError("lock", path + ".lock", EWOULDBLOCK)
      }
      defer { lock.unlock() }
      try openNewest()
      try body(file!)
    } catch {
      // Whatever state the descriptor is in, the next attempt starts afresh.
      file = nil
      throw AuditLogError("\(error)", isFull: error.isFull)
    }
  }

  private func openNewest() throws(FileError) {
    let newest = FileName(name)
    if file != nil {
      let isCurrent: Bool
      do {
        let status = try folder.status(newest)
        isCurrent = (status.device, status.inode) == fileIdentity
      } catch  where error.code == ENOENT { isCurrent = false }
      if !isCurrent { file = nil }
    }
    if file != nil, try file!.status().size >= rotationSize {
      file = nil
      try rotate()
    }
    guard file == nil else { return }
    var opened = try open(newest)
    if try opened.status().size >= rotationSize {
      try rotate()
      opened = try open(newest)
    }
    let status = try opened.status()
    fileIdentity = (status.device, status.inode)
    file = consume opened
  }

  private func open(_ name: FileName) throws(FileError) -> OpenFile {
    let opened = try folder.openFile(name, flags: O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
    let status = try opened.status()
    guard status.kind == .regular else { throw FileError("open", path, EINVAL) }
    if status.permissions != 0o600 { try opened.setPermissions(0o600) }
    return opened
  }

  private func rotate() throws(FileError) {
    try keepWhatTheUserDid()
    for number in stride(from: AuditLog.keptFiles, to: 0, by: -1) {
      let from = FileName(number == 1 ? name : "\(name).\(number - 1)")
      guard try folder.contains(from) else { continue }
      try folder.rename(from, to: FileName("\(name).\(number)"), in: folder)
    }
  }

  /// Copies the lines of the oldest file, which is about to go, that tell what the user did.
  private func keepWhatTheUserDid() throws(FileError) {
    let oldest = FileName("\(name).\(AuditLog.keptFiles)")
    guard try folder.contains(oldest) else { return }
    var lines: [UInt8] = []
    let newline = UInt8(ascii: "\n")
    let bytes = try folder.openFile(oldest).read(at: 0, upTo: 2 * AuditLog.rotationSize)
    for line in bytes.split(separator: newline) where AuditLineHead(line)?.isOfUser == true {
      lines += line + [newline]
    }
    guard !lines.isEmpty else { return }
    let kept = FileName("\(name).\(Self.userFile)")
    var file = try open(kept)
    try repairTornLine(file)
    var size = try file.status().size
    // A rotation that was killed behind this point has copied them already.
    if size >= lines.count,
      try file.read(at: size - lines.count, upTo: lines.count) == lines
    {
      return
    }
    if size > 0, size + lines.count > userFileSize {
      try folder.rename(kept, to: FileName("\(name).\(Self.userFile).1"), in: folder)
      file = try open(kept)
      size = 0
    }
    try Self.appendWhole(lines, to: file)
    try file.synchronize()
  }
}
