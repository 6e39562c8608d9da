import Glibc
import LinuxSystem
import TerminalText

/// Reads the audit log from its oldest file to its newest, and goes on reading what is added,
/// across rotation. A damaged line is reported and passed over.
public struct AuditLogReader: ~Copyable {
  /// What one line turned out to be.
  public enum Item: Sendable {
    case record(AuditRecord)
    /// Not an audit line.
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - number: from 1.
    case damaged(file: String, number: Int)
  }

  private let path: String
  private let folderPath: String
  private let name: String
  /// The file that is being read, with the name it had when it was opened.
  private var file: OpenFile?
  private var filePath = ""
  private var isReadingUserFile = false
  private var identity: (device: UInt64, inode: UInt64) = (0, 0)
  private var offset = 0
  private var lineNumber = 0
  private var partial: [UInt8] = []
  private var isOverlong = false

  /// A longer line is damaged: the log's own are far shorter.
  private static let lineLimit = 1 << 20

  public init(path: String) {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    folderPath = String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }

  /// Hands over all lines that were added since the last call; at first, all there are.
  public mutating func read(
    _ handle: (Item) throws -> Void
  ) throws {
    while true {
      if file != nil { try readOn(handle) }
      guard try openNext(handle) else { return }
    }
  }

  /// Hands over a last line that has no end, for one who reads on no more.
  public mutating func finish(_ handle: (Item) throws -> Void) throws {
    if !partial.isEmpty || isOverlong { try finishLine(handle) }
  }

  /// Opens the file that follows the one that was read: one that is newer, or at first the oldest.
  /// - Returns: whether there is one.
  private mutating func openNext(
    _ handle: (Item) throws -> Void
  ) throws -> Bool {
    let folder: DirectoryHandle
    do { folder = try DirectoryHandle(path: folderPath) } catch {
      if error.code == ENOENT { return false }
      throw StoreError(.file, VisibleText.escape("\(error)"))
    }
    // Newest first.
    var names = [name] + (1...AuditLog.keptFiles).map { "\(name).\($0)" }
    // What the user did before all of them. Not to begin with that again, when the file that was read
    // is gone.
    if file == nil || isReadingUserFile {
      names += ["\(name).\(AuditLogFiles.userFile)", "\(name).\(AuditLogFiles.userFile).1"]
    }
    var found: [String] = []
    for candidate in names {
      guard let status = try? folder.status(FileName(candidate)) else { continue }
      if file != nil, (status.device, status.inode) == identity { break }
      found.append(candidate)
    }
    // When the file that was read is the newest there is nothing before it in the list.
    guard let next = found.last else { return false }
    try finish(handle)
    do throws(FileError) {
      let opened = try folder.openFile(FileName(next))
      let status = try opened.status()
      identity = (status.device, status.inode)
      file = consume opened
    } catch {
      if error.code == ENOENT { return false }
      throw StoreError(.file, VisibleText.escape("\(error)"))
    }
    filePath = folderPath + "/" + next
    isReadingUserFile = next.hasPrefix("\(name).\(AuditLogFiles.userFile)")
    offset = 0
    lineNumber = 0
    partial = []
    isOverlong = false
    return true
  }

  private mutating func readOn(_ handle: (Item) throws -> Void) throws {
    while true {
      let bytes = try file!.read(at: offset, upTo: 65_536)
      if bytes.isEmpty { return }
      offset += bytes.count
      for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .enumerated()
      {
        // Each part but the first comes after a newline.
        if part.offset > 0 { try finishLine(handle) }
        if partial.count + part.element.count > Self.lineLimit {
          isOverlong = true
          partial = []
        } else if !isOverlong {
          partial += part.element
        }
      }
    }
  }

  private mutating func finishLine(_ handle: (Item) throws -> Void) throws {
    lineNumber += 1
    let line = partial
    let wasOverlong = isOverlong
    partial = []
    isOverlong = false
    if !wasOverlong, let record = AuditRecord(line: line) {
      try handle(.record(record))
    } else {
      try handle(.damaged(file: filePath, number: lineNumber))
    }
  }
}
