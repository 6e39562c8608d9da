import SandboxPolicy

/// What a keyboard may use up. Sizes are in bytes.
public struct ResourceLimits: Sendable, Equatable {
  /// RLIMIT_DATA: the heap and private memory.
  public var data: UInt64
  /// RLIMIT_AS: everything mapped. Nil leaves it open, as sanitizer builds need.
  public var addressSpace: UInt64?
  /// RLIMIT_FSIZE: the largest file.
  public var fileSize: UInt64
  /// RLIMIT_NOFILE.
  public var openFiles: UInt64
  /// RLIMIT_NPROC, threads counted: in force where the kernel counts for this keyboard alone.
  public var processes: UInt64
  /// The private `/tmp`.
  public var temporaryFiles: UInt64
  /// RLIMIT_CORE; 1 is no dump, not to a pipe either.
  public var coreSize: UInt64
  /// Resident memory, above which the host ends the keyboard.
  public var residentMemory: UInt64
  /// All files of the private container together, above which the host ends the keyboard.
  public var containerQuota: UInt64

  public init(
    data: UInt64, addressSpace: UInt64?, fileSize: UInt64, openFiles: UInt64, processes: UInt64,
    temporaryFiles: UInt64, coreSize: UInt64, residentMemory: UInt64, containerQuota: UInt64
  ) {
    self.data = data
    self.addressSpace = addressSpace
    self.fileSize = fileSize
    self.openFiles = openFiles
    self.processes = processes
    self.temporaryFiles = temporaryFiles
    self.coreSize = coreSize
    self.residentMemory = residentMemory
    self.containerQuota = containerQuota
  }

  /// A profile's limits, with the standard private `/tmp`.
  public init(_ limits: SandboxLimits) {
    self.init(
      data: limits.dataSegment, addressSpace: limits.addressSpace, fileSize: limits.fileSize,
      openFiles: limits.openFiles, processes: limits.processes,
      temporaryFiles: Self.temporaryFiles, coreSize: limits.coreSize,
      residentMemory: limits.residentMemory, containerQuota: limits.containerQuota)
  }

  /// Of the private `/tmp`, in bytes: it is memory, and counts towards no other limit.
  private static let temporaryFiles: UInt64 = 4 << 20
}
