import LinuxSystem

extension SandboxedChild {
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

  /// What has to be counted to know whether the keyboard keeps more in its containers than it may. It can
  /// be counted in another thread.
  ///
  /// - Parameter others: the host's other keyboards. What those of the same app hold counts in the
  ///   container that they share, where this one may write to it: as of its own last turn, since were
  ///   each measured in the turn of each, there would be no end of it.
  public func storageCheck(beside others: [SandboxedChild] = []) -> StorageCheck {
    StorageCheck(
      process: processIdentifier, request: request, storedAtStart: storedAtStart,
      heldByOthers: others.reduce(0) { sum, other in
        other !== self && other.sharesContainer(with: self) ? sum + other.heldOfShared : sum
      })
  }

  /// Takes note of what was counted.
  /// - Returns: what the keyboard keeps beyond what it may, for people; nil if nothing. What was counted
  ///   of one that has ended since says nothing: its number can have been another's.
  public func take(_ finding: StorageCheck.Finding) -> String? {
    // Its number stays its own until its end is taken note of, which only its owner does.
    guard finalStatus == nil else { return nil }
    heldOfShared = finding.heldOfShared
    return finding.excess
  }

  /// What the keyboard keeps in its containers beyond their quota, for people; nil if nothing. A
  /// file that has no name any more counts as long as it is held open or mapped. It counts in this thread.
  public func containerExcess(beside others: [SandboxedChild] = []) -> String? {
    take(storageCheck(beside: others).containers())
  }

  /// What has to be counted before the keyboard's own code runs. It can be counted in another thread.
  public var startCheck: StartCheck { StartCheck(request: request) }

  /// Takes note of what was stored before the keyboard's own code ran, for ``diskExcess()``.
  public func note(_ finding: StartCheck.Finding) { storedAtStart = finding.stored }

  /// Whether the disk is nearly full and this keyboard has stored something since it was started, for
  /// people; nil if not. On a disk that others have filled it is not blamed. What it stores in its
  /// app's shared container counts where it may write there. It counts in this thread.
  public func diskExcess() -> String? { storageCheck().diskExcess() }

  private func sharesContainer(with other: SandboxedChild) -> Bool {
    request.writableSharedContainer != nil
      && request.writableSharedContainer == other.request.writableSharedContainer
  }
}
