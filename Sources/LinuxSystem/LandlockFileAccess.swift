import CLinux

/// LANDLOCK_ACCESS_FS_*, named after the kernel's constants.
public struct LandlockFileAccess: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let execute = LandlockFileAccess(rawValue: 1 << 0)
  public static let writeFile = LandlockFileAccess(rawValue: 1 << 1)
  public static let readFile = LandlockFileAccess(rawValue: 1 << 2)
  public static let readDirectory = LandlockFileAccess(rawValue: 1 << 3)
  public static let removeDirectory = LandlockFileAccess(rawValue: 1 << 4)
  public static let removeFile = LandlockFileAccess(rawValue: 1 << 5)
  public static let makeCharacterDevice = LandlockFileAccess(rawValue: 1 << 6)
  public static let makeDirectory = LandlockFileAccess(rawValue: 1 << 7)
  public static let makeRegularFile = LandlockFileAccess(rawValue: 1 << 8)
  public static let makeSocket = LandlockFileAccess(rawValue: 1 << 9)
  public static let makeFIFO = LandlockFileAccess(rawValue: 1 << 10)
  public static let makeBlockDevice = LandlockFileAccess(rawValue: 1 << 11)
  public static let makeSymbolicLink = LandlockFileAccess(rawValue: 1 << 12)
  /// Link or rename between directories (ABI 2).
  public static let refer = LandlockFileAccess(rawValue: 1 << 13)
  /// ABI 3.
  public static let truncate = LandlockFileAccess(rawValue: 1 << 14)
  /// ioctl(2) of device files (ABI 5).
  public static let ioctlDevice = LandlockFileAccess(rawValue: 1 << 15)

  /// Those that mean something for a file that is no directory.
  public static let forFiles: LandlockFileAccess = [
    .execute, .writeFile, .readFile, .truncate, .ioctlDevice,
  ]

  /// Everything that a kernel with this ABI can restrict.
  public static func handled(abi: Int) -> LandlockFileAccess {
    switch abi {
    case ..<1: []
    case 1: LandlockFileAccess(rawValue: (1 << 13) - 1)
    case 2: LandlockFileAccess(rawValue: (1 << 14) - 1)
    case 3, 4: LandlockFileAccess(rawValue: (1 << 15) - 1)
    default: LandlockFileAccess(rawValue: (1 << 16) - 1)
    }
  }
}
