import LinuxSystem

extension SandboxedChild {
  /// The most files and folders of a private container.
  static let containerEntries = 20_000

  /// What the keyboard uses beyond its limit of memory, for people; nil if nothing.
  public func memoryExcess() -> String? {
    let limit = request.limits.residentMemory
    guard let memory = residentMemory(), UInt64(clamping: memory) > limit else { return nil }
    return "it used more than \(limit >> 20) MB of memory"
  }

  /// What the keyboard keeps in its private container beyond its quota, for people; nil if nothing.
  /// A file that has no name any more counts as long as it is held open or mapped.
  public func containerExcess() -> String? {
    let quota = request.limits.containerQuota
    guard let folder = try? DirectoryHandle(path: request.containerPath) else { return nil }
    let usage = folder.usage(
      bytes: quota, entries: Self.containerEntries, heldBy: processIdentifier,
      mappedSize: request.limits.fileSize)
    return switch usage {
    case .within: nil
    case .overBytes: "it kept more than \(quota >> 20) MB in its container"
    case .overEntries: "it kept more than \(Self.containerEntries) files in its container"
    case .unmeasurable: "its container has folders that cannot be measured"
    }
  }
}
