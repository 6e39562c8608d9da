/// Rights over files and folders, with the kernel's names for them (`linux/landlock.h`).
public enum FileRight: String, Sendable, Hashable, CaseIterable {
  case execute = "EXECUTE"
  case writeFile = "WRITE_FILE"
  case readFile = "READ_FILE"
  case readDirectory = "READ_DIR"
  case removeDirectory = "REMOVE_DIR"
  case removeFile = "REMOVE_FILE"
  case makeCharacterDevice = "MAKE_CHAR"
  case makeDirectory = "MAKE_DIR"
  case makeRegularFile = "MAKE_REG"
  case makeSocket = "MAKE_SOCK"
  case makeFIFO = "MAKE_FIFO"
  case makeBlockDevice = "MAKE_BLOCK"
  case makeSymbolicLink = "MAKE_SYM"
  /// Moving or linking between folders; Landlock ABI 2.
  case refer = "REFER"
  /// Landlock ABI 3.
  case truncate = "TRUNCATE"
  /// Landlock ABI 5.
  case deviceControl = "IOCTL_DEV"

  /// The right's bit in `LANDLOCK_ACCESS_FS_…`.
  public var landlockBit: UInt64 {
    let position = FileRight.allCases.firstIndex(of: self) ?? 0
    return 1 << UInt64(position)
  }

  /// The first Landlock ABI that knows the right.
  public var landlockABI: Int {
    switch self {
    case .refer: 2
    case .truncate: 3
    case .deviceControl: 5
    default: 1
    }
  }
}
