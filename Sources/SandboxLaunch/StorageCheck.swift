import LinuxSystem

/// The counting of what a keyboard keeps and holds open. It is the keyboard that decides how much there is
/// to count, and how slowly each thing is told by the kernel: so it is for a thread that nobody waits for,
/// and bounded.
public struct StorageCheck: Sendable {
  /// What came of it.
  public struct Finding: Sendable, Equatable {
    /// What the keyboard keeps beyond what it may, for people; nil if nothing.
    public var excess: String?
    /// What it holds without a name in the container that its app's keyboards share, in blocks of 512
    /// bytes.
    var heldOfShared: UInt64 = 0
  }

  let process: Int32
  let request: LaunchRequest
  /// What the folders that it may write to held before it ran, in bytes; nil if unknown.
  let storedAtStart: UInt64?
  /// What its siblings hold without a name in the container that they share, in blocks of 512 bytes.
  let heldByOthers: UInt64

  /// Below so much free space, in bytes, no keyboard may store more: what is left is for the user,
  /// who must be able to save a file, and to take something away.
  static let sparedSpace: UInt64 = 64 << 20

  /// The most memory mappings of a keyboard. Each costs a few microseconds to look at.
  /// Measured on Debian 12: a keyboard in Swift has 80, with and without Foundation; one in Python
  /// 110, with many modules 210, and with 32 threads 310. The kernel allows 65,530
  /// (`vm.max_map_count`).
  static let maximumMappings = 4_000

  /// The most descriptors that are looked at. A keyboard may have 128, which its threads share; more are
  /// looked at only where the kernel does not say that they do.
  static let maximumDescriptors = 1_024

  /// So much of a processor one count may take, in nanoseconds. 10,000 files with short names were measured
  /// to take 25 ms, and 128 removed files below paths of 4 KB fewer than 10.
  static let processorLimit: UInt64 = 250_000_000

  /// Why a keyboard is ended that nobody can count, for people.
  public static let takesTooLong = "what it keeps and holds open takes too long to count"

  /// Counts, and takes its time: as long as the keyboard keeps others from a folder, which its owner has
  /// to bound.
  /// - Parameter processorTime: nanoseconds of a processor that this thread has used.
  public func run(
    processorTime: () -> UInt64 = { MonotonicClock.threadNanoseconds }
  ) -> Finding {
    let began = processorTime()
    var finding = containers()
    if finding.excess == nil { finding.excess = diskExcess() }
    if finding.excess == nil, processorTime() - began > Self.processorLimit {
      finding.excess = Self.takesTooLong
    }
    return finding
  }

  /// ``run(processorTime:)`` by this thread's own clock.
  public func all() -> Finding { run() }

  func containers() -> Finding {
    let held: HeldBlocks
    do throws(HeldFiles.Fault) { held = try heldBlocks() } catch {
      let excess: String? =
        switch error {
        case .tooManyMappings: "it had more than \(Self.maximumMappings) memory mappings"
        case .tooManyDescriptors:
          "its threads had more than \(Self.maximumDescriptors) descriptors"
        // A process that has ended has no memory.
        case .unreadable: hasMemory ? "what it holds open cannot be measured" : nil
        }
      return Finding(excess: excess)
    }
    return Finding(
      excess: request.containerExcess(held: held.ofPrivate)
        ?? request.sharedContainerExcess(held: held.ofShared + heldByOthers),
      heldOfShared: held.ofShared)
  }

  func diskExcess() -> String? {
    guard let free = request.freeSpace, free < Self.sparedSpace else { return nil }
    if let before = storedAtStart, let now = request.stored(), let held = try? heldBlocks() {
      guard now + (held.ofPrivate + held.ofShared) * 512 > before else { return nil }
    }
    return "it stored more while the disk had less than \(Self.sparedSpace >> 20) MB left"
  }

  private var hasMemory: Bool {
    guard let file = try? FileDescriptor.open("/proc/\(process)/statm", .read),
      let bytes = try? file.read(upTo: 128)
    else { return false }
    // "size resident shared text lib data dt", in pages.
    let fields = bytes.split(separator: UInt8(ascii: " "))
    return fields.count > 1 && !fields[1].elementsEqual("0".utf8)
  }

  /// What is held in the containers without a name, in blocks of 512 bytes.
  private struct HeldBlocks {
    var ofPrivate: UInt64
    /// Zero where the keyboard may not write.
    var ofShared: UInt64
  }

  private func heldBlocks() throws(HeldFiles.Fault) -> HeldBlocks {
    let blocks = try HeldFiles.blocks(
      heldBy: process, below: request.containerNames, mapped: request.limits.fileSize / 512,
      mappings: Self.maximumMappings, descriptors: Self.maximumDescriptors)
    return HeldBlocks(
      ofPrivate: blocks[0], ofShared: request.writableSharedContainer == nil ? 0 : blocks[1])
  }
}
