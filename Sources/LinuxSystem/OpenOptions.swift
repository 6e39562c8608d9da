import Glibc

/// How a file is opened: `open(2)`'s flags.
public struct OpenOptions: OptionSet, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// `O_RDONLY`, which is no bit at all.
  public static let read: OpenOptions = []
  /// `O_WRONLY`.
  public static let write = OpenOptions(rawValue: O_WRONLY)
  /// `O_RDWR`.
  public static let readWrite = OpenOptions(rawValue: O_RDWR)
  /// `O_CREAT`.
  public static let create = OpenOptions(rawValue: O_CREAT)
  /// `O_EXCL`.
  public static let exclusive = OpenOptions(rawValue: O_EXCL)
  /// `O_DIRECTORY`.
  public static let directory = OpenOptions(rawValue: O_DIRECTORY)
  /// `O_NONBLOCK`.
  public static let nonBlocking = OpenOptions(rawValue: O_NONBLOCK)
  /// `O_PATH`: a place in the file system, not its contents. Bit 21 on x86-64 and AArch64.
  public static let pathOnly = OpenOptions(rawValue: 0o10000000)
}
