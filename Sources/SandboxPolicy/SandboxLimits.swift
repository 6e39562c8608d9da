/// What a keyboard may use; sizes in bytes.
public struct SandboxLimits: Sendable, Hashable {
  /// Resident memory, above which the host ends the keyboard.
  public var residentMemory: UInt64
  /// `RLIMIT_DATA`.
  public var dataSegment: UInt64
  /// `RLIMIT_AS`.
  public var addressSpace: UInt64
  /// `RLIMIT_FSIZE`.
  public var fileSize: UInt64
  /// `RLIMIT_CORE`; 1 is the kernel's value for no dump, not to a pipe either.
  public var coreSize: UInt64
  /// `RLIMIT_NOFILE`, a number of descriptors.
  public var openFiles: UInt64
  /// Threads and processes, where they can be counted for the keyboard alone.
  public var processes: UInt64
  /// All files of the container together, above which the host ends the keyboard.
  public var containerQuota: UInt64
}
