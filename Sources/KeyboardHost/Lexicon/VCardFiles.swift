import LinuxSystem
import TerminalText

/// The vCard files in folders as khard and vdirsyncer keep them, read within bounds; what cannot be
/// read is told with its place, and the rest counts.
struct VCardFiles {
  /// The most files that are looked at.
  static let maximumFiles = 10_000
  /// The most names in folders that are looked at, whatever they are of.
  static let maximumEntries = 20_000
  /// The longest file, in bytes.
  static let maximumFileBytes = 1 << 20
  /// The most that is read of all files together, in bytes.
  static let maximumBytes = 1 << 24
  /// The most faults that are told.
  static let maximumFaults = 20
  /// How deep folders are looked into: a collection of vdirsyncer is a folder in a folder.
  static let maximumDepth = 3

  /// Takes the content of a file; tells what of it cannot be read, and whether it wants no more.
  typealias Taking = ([UInt8]) -> (faults: [VCardReader.Fault], isFull: Bool)

  private var faults: [String] = []
  private var entries = 0
  private var files = 0
  private var bytes = 0
  private var isFull = false

  /// - Returns: what could not be read, safe to show. A folder that is not there is a fault.
  static func read(_ folders: [String], _ take: Taking) -> [String] {
    var reader = VCardFiles()
    for folder in folders {
      do {
        reader.read(try DirectoryHandle(path: folder, followingLinks: true), depth: 1, take)
      } catch {
        reader.note("\(error)")
      }
    }
    return reader.faults
  }

  private mutating func note(_ fault: String) {
    // A folder of a thousand broken files says so once or twice, not a thousand times.
    if faults.count < Self.maximumFaults { faults.append(VisibleText.escape(fault)) }
  }

  private mutating func read(_ folder: borrowing DirectoryHandle, depth: Int, _ take: Taking) {
    let names: [FileName]
    do {
      // One more than is looked at tells that there are more.
      names = try folder.names(upTo: Self.maximumEntries - entries + 1)
    } catch { return note("\(error)") }
    for name in names {
      entries += 1
      if entries > Self.maximumEntries { fill() }
      if isFull { return }
      // Hidden ones are the tools' own.
      guard let text = name.string, !text.hasPrefix(".") else { continue }
      do {
        switch try folder.status(name).kind {
        case .directory:
          if depth < Self.maximumDepth {
            read(try folder.openDirectory(name), depth: depth + 1, take)
          }
        case .regular where text.lowercased().hasSuffix(".vcf"):
          try read(try folder.openFile(name), take)
        default: break
        }
      } catch {
        note("\(error)")
      }
    }
  }

  private mutating func read(
    _ file: borrowing OpenFile, _ take: Taking
  ) throws(FileError) {
    files += 1
    let content = try file.read(upTo: Self.maximumFileBytes + 1)
    guard content.count <= Self.maximumFileBytes else {
      return note("\(file.path): the file is longer than \(Self.maximumFileBytes) bytes")
    }
    bytes += content.count
    let taken = take(content)
    for fault in taken.faults { note("\(file.path): \(fault)") }
    if files >= Self.maximumFiles || bytes >= Self.maximumBytes || taken.isFull {
      fill()
    }
  }

  private mutating func fill() {
    guard !isFull else { return }
    isFull = true
    note("there are more contacts, or other files, than are read; the rest is left out")
  }
}
