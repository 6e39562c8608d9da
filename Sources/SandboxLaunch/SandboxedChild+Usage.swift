import LinuxSystem

extension SandboxedChild {
  /// Below so much free space, in bytes, no keyboard may store more: what is left is for the user,
  /// who must be able to save a file, and to take something away.
  static let sparedSpace: UInt64 = 64 << 20

  /// What the keyboard uses beyond its limit of memory, for people; nil if nothing. It is beyond it
  /// as well when its first thread has ended and others run: neither its memory nor what it has
  /// mapped can be measured then.
  public func memoryExcess() -> String? {
    let limit = request.limits.residentMemory
    guard let memory = memory() else { return nil }
    guard memory.mapped > 0 else {
      // One that ends as a whole is seen so for a moment, too.
      defer { hadNoMemory = true }
      return hadNoMemory && reap() == nil
        ? "its first thread ended, so that nobody can measure what it uses" : nil
    }
    hadNoMemory = false
    guard UInt64(clamping: memory.resident) > limit else { return nil }
    return "it used more than \(limit >> 20) MB of memory"
  }

  /// What the keyboard keeps in its containers beyond their quota, for people; nil if nothing. A
  /// file that has no name any more counts as long as it is held open or mapped.
  ///
  /// - Parameter others: the host's other keyboards. What those of the same app hold counts in the
  ///   container that they share, where this one may write to it.
  public func containerExcess(beside others: [SandboxedChild] = []) -> String? {
    var held: HeldBlocks
    do throws(HeldFiles.Fault) { held = try heldBlocks() } catch {
      switch error {
      case .tooManyMappings: return "it had more than \(Self.maximumMappings) memory mappings"
      case .unreadable:
        // A process that has ended has no memory.
        return (residentMemory() ?? 0) > 0 ? "what it holds open cannot be measured" : nil
      }
    }
    if let excess = request.containerExcess(held: held.ofPrivate) { return excess }
    for other in others where other !== self && other.sharesContainer(with: self) {
      // As of its own last turn: were each measured in the turn of each, many keyboards of one app
      // could keep the host busy.
      held.ofShared += other.heldOfShared
    }
    return request.sharedContainerExcess(held: held.ofShared)
  }

  /// Notes what is stored before the keyboard's own code runs, for ``diskExcess()``.
  public func noteStored() { storedAtStart = request.stored() }

  /// Whether the disk is nearly full and this keyboard has stored something since it was started, for
  /// people; nil if not. On a disk that others have filled it is not blamed. What it stores in its
  /// app's shared container counts where it may write there.
  public func diskExcess() -> String? {
    guard let free = request.freeSpace, free < Self.sparedSpace else { return nil }
    if let before = storedAtStart, let now = request.stored(), let held = try? heldBlocks() {
      guard now + (held.ofPrivate + held.ofShared) * 512 > before else { return nil }
    }
    return "it stored more while the disk had less than \(Self.sparedSpace >> 20) MB left"
  }

  /// The most memory mappings of a keyboard. Each costs the host a few microseconds to look at.
  /// Measured on Debian 12: a keyboard in Swift has 80, with and without Foundation; one in Python
  /// 110, with many modules 210, and with 32 threads 310. The kernel allows 65,530
  /// (`vm.max_map_count`).
  static let maximumMappings = 4_000

  /// What is held in the containers without a name, in blocks of 512 bytes.
  private struct HeldBlocks {
    var ofPrivate: UInt64
    /// Zero where the keyboard may not write.
    var ofShared: UInt64
  }

  private func heldBlocks() throws(HeldFiles.Fault) -> HeldBlocks {
    let blocks = try HeldFiles.blocks(
      heldBy: processIdentifier, below: request.containerNames,
      mapped: request.limits.fileSize / 512, mappings: Self.maximumMappings)
    let held = HeldBlocks(
      ofPrivate: blocks[0], ofShared: request.writableSharedContainer == nil ? 0 : blocks[1])
    heldOfShared = held.ofShared
    return held
  }

  private func sharesContainer(with other: SandboxedChild) -> Bool {
    request.writableSharedContainer != nil
      && request.writableSharedContainer == other.request.writableSharedContainer
  }
}
