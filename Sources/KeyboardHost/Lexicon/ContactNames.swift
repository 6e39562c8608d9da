import LinuxSystem
import TerminalText
import TextInput

/// The names of the user's contacts, from folders of vCard files as khard and vdirsyncer keep them.
///
/// Read strictly within bounds; what cannot be read is told with its place, and the rest counts.
public struct ContactNames: Sendable, Equatable {
  /// The most files that are looked at.
  public static let maximumFiles = 10_000
  /// The longest file, in bytes.
  public static let maximumFileBytes = 1 << 20
  /// The most that is read of all files together, in bytes.
  public static let maximumBytes = 1 << 24
  /// The most names.
  public static let maximumNames = 5_000
  /// How deep folders are looked into: a collection of vdirsyncer is a folder in a folder.
  public static let maximumDepth = 3

  /// The names, sorted, each once.
  public private(set) var names: [String] = []
  /// What could not be read, safe to show.
  public private(set) var faults: [String] = []

  private var found: Set<String> = []
  private var files = 0
  private var bytes = 0
  private var isFull = false

  /// Reads the names in folders. One that is not there is a fault.
  public init(folders: [String]) {
    for folder in folders {
      do {
        read(try DirectoryHandle(path: folder, followingLinks: true), depth: 1)
      } catch {
        note("\(error)")
      }
    }
    names = found.sorted()
  }

  /// The names as entries of the lexicon: each stands for itself.
  public var entries: [LexiconEntry] {
    names.map { LexiconEntry(userInput: $0, documentText: $0) }
  }

  private mutating func note(_ fault: String) {
    // A folder of a thousand broken files says so once or twice, not a thousand times.
    if faults.count < 20 { faults.append(VisibleText.escape(fault)) }
  }

  private mutating func read(_ folder: borrowing DirectoryHandle, depth: Int) {
    let entries: [FileName]
    do { entries = try folder.names() } catch { return note("\(error)") }
    for name in entries {
      // Hidden ones are the tools' own.
      guard !isFull, let text = name.string, !text.hasPrefix(".") else { continue }
      do {
        switch try folder.status(name).kind {
        case .directory:
          if depth < Self.maximumDepth { read(try folder.openDirectory(name), depth: depth + 1) }
        case .regular where text.lowercased().hasSuffix(".vcf"):
          try read(try folder.openFile(name))
        default: break
        }
      } catch {
        note("\(error)")
      }
    }
  }

  private mutating func read(_ file: borrowing OpenFile) throws(FileError) {
    files += 1
    let content = try file.read(upTo: Self.maximumFileBytes + 1)
    guard content.count <= Self.maximumFileBytes else {
      return note("\(file.path): the file is longer than \(Self.maximumFileBytes) bytes")
    }
    bytes += content.count
    let card = VCardNames(reading: content)
    for fault in card.faults { note("\(file.path): \(fault)") }
    found.formUnion(card.names)
    if files >= Self.maximumFiles || bytes >= Self.maximumBytes || found.count >= Self.maximumNames
    {
      isFull = true
      note("there are more contacts than are read; the rest is left out")
    }
  }
}
