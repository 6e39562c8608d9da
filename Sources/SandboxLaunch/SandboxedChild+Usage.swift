import LinuxSystem
import SandboxPolicy

extension LaunchRequest {
  /// The most files and folders of a private container.
  static let containerEntries = 20_000

  /// What the keyboard keeps in its private container beyond its quota, for people; nil if nothing.
  public func containerExcess() -> String? { containerExcess(heldBy: nil) }

  func containerExcess(heldBy process: Int32?) -> String? {
    let quota = limits.containerQuota
    guard let folder = try? DirectoryHandle(path: containerPath) else { return nil }
    let usage = folder.usage(
      bytes: quota, entries: Self.containerEntries, heldBy: process,
      mappedSize: limits.fileSize)
    return switch usage {
    case .within: nil
    case .overBytes: "it kept more than \(quota >> 20) MB in its container"
    case .overEntries: "it kept more than \(Self.containerEntries) files in its container"
    case .unmeasurable: "its container has folders that cannot be measured"
    }
  }

  /// The folders that the keyboard may write to and that outlive it.
  private var storagePlaces: [String] {
    let isSharedWritable = files.contains {
      $0.place == .sharedContainer && !$0.rights.isDisjoint(with: [.writeFile, .makeRegularFile])
    }
    return [containerPath] + (isSharedWritable ? [sharedContainerPath].compactMap(\.self) : [])
  }

  /// What those folders hold, in bytes; nil when that cannot be measured.
  func stored(heldBy process: Int32?) -> UInt64? {
    var sum: UInt64 = 0
    for path in storagePlaces {
      guard let folder = try? DirectoryHandle(path: path),
        let size = folder.size(
          entries: Self.containerEntries, heldBy: process, mappedSize: limits.fileSize)
      else { return nil }
      sum += size
    }
    return sum
  }

  /// The least free space of the file systems with those folders, in bytes; nil if unknown.
  fileprivate var freeSpace: UInt64? {
    storagePlaces.compactMap { try? DirectoryHandle(path: $0).freeSpace() }.min()
  }
}

extension SandboxedChild {
  /// Below so much free space, in bytes, no keyboard may store more: what is left is for the user,
  /// who must be able to save a file, and to take something away.
  static let sparedSpace: UInt64 = 64 << 20

  /// What the keyboard uses beyond its limit of memory, for people; nil if nothing.
  public func memoryExcess() -> String? {
    let limit = request.limits.residentMemory
    guard let memory = residentMemory(), UInt64(clamping: memory) > limit else { return nil }
    return "it used more than \(limit >> 20) MB of memory"
  }

  /// What the keyboard keeps in its private container beyond its quota, for people; nil if nothing.
  /// A file that has no name any more counts as long as it is held open or mapped.
  public func containerExcess() -> String? {
    request.containerExcess(heldBy: processIdentifier)
  }

  /// Notes what is stored before the keyboard's own code runs, for ``diskExcess()``.
  public func noteStored() { storedAtStart = request.stored(heldBy: nil) }

  /// Whether the disk is nearly full and this keyboard has stored something since it was started, for
  /// people; nil if not. On a disk that others have filled it is not blamed. What it stores in its
  /// app's shared container counts where it may write there.
  public func diskExcess() -> String? {
    guard let free = request.freeSpace, free < Self.sparedSpace else { return nil }
    if let before = storedAtStart, let now = request.stored(heldBy: processIdentifier) {
      guard now > before else { return nil }
    }
    return "it stored more while the disk had less than \(Self.sparedSpace >> 20) MB left"
  }
}
