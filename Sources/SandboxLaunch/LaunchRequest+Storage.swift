import LinuxSystem
import SandboxPolicy

extension LaunchRequest {
  /// What the keyboard keeps in its private container beyond its quota, for people; nil if nothing.
  /// To be asked before a start: no more names are looked at than there may be.
  public func containerExcess() -> String? { containerExcess(held: 0) }

  /// The same of the container that it shares with the other keyboards of its app, where it may
  /// write to it.
  public func sharedContainerExcess() -> String? { sharedContainerExcess(held: 0) }

  /// - Parameter held: blocks of 512 bytes that count beside what has a name.
  func containerExcess(held: UInt64) -> String? {
    // In one that is in memory the kernel itself counts.
    containerPath.flatMap { quota.excess(of: $0, held: held) }.map {
      "it kept \($0) its container"
    }
  }

  func sharedContainerExcess(held: UInt64) -> String? {
    writableSharedContainer.flatMap { quota.excess(of: $0, held: held) }.map {
      "its app's keyboards kept \($0) the container that they share"
    }
  }

  private var quota: ContainerQuota { ContainerQuota(bytes: limits.containerQuota) }

  /// The path of the app's shared container, where it is one of the keyboard's places to write.
  var writableSharedContainer: String? {
    files.contains { $0.place == .sharedContainer && !$0.rights.isDisjoint(with: Self.making) }
      ? sharedContainerPath : nil
  }

  private static let making: Set<FileRight> = [
    .writeFile, .makeRegularFile, .makeDirectory, .makeSymbolicLink,
  ]

  /// The paths of the private container and of the shared one, as the keyboard has them: with and
  /// without a private root.
  var containerNames: [[String]] {
    let shown = LaunchPlaces(self, hasPrivateRoot: true)
    return [(shown.container, containerPath), (shown.sharedContainer, sharedContainerPath)].map {
      [$0, $1.map { (try? RealPath.resolve($0)) ?? $0 }].compactMap(\.self)
    }
  }

  /// The folders that the keyboard may write to and that outlive it.
  private var storagePlaces: [String] {
    [containerPath, writableSharedContainer].compactMap(\.self)
  }

  /// What has a name in those folders takes up, in bytes; nil when that cannot be measured.
  func stored() -> UInt64? {
    var sum: UInt64 = 0
    for path in storagePlaces {
      guard let folder = try? DirectoryHandle(path: path),
        let size = folder.size(
          entries: ContainerQuota.maximumEntries, folders: ContainerQuota.maximumFolders)
      else { return nil }
      sum += size
    }
    return sum
  }

  /// The least free space of the file systems with those folders, in bytes; nil if unknown.
  var freeSpace: UInt64? {
    storagePlaces.compactMap { try? DirectoryHandle(path: $0).freeSpace() }.min()
  }
}
