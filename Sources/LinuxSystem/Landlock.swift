import CLinux

/// Landlock(7): file, network and scope restrictions that a process puts on itself.
public enum Landlock {
  /// The newest ABI whose rights this code knows. A newer kernel works with these.
  public static let newestKnownABI = 7

  /// The running kernel's ABI; 0 when it has no Landlock, or has it switched off.
  public static var kernelABI: Int { max(0, clinux_landlock_abi()) }
}

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

/// LANDLOCK_ACCESS_NET_* (ABI 4).
public struct LandlockNetworkAccess: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let bindTCP = LandlockNetworkAccess(rawValue: 1 << 0)
  public static let connectTCP = LandlockNetworkAccess(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can restrict.
  public static func handled(abi: Int) -> LandlockNetworkAccess {
    abi >= 4 ? [.bindTCP, .connectTCP] : []
  }
}

/// LANDLOCK_SCOPE_* (ABI 6): what reaches only processes of the same domain.
public struct LandlockScope: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let abstractUnixSocket = LandlockScope(rawValue: 1 << 0)
  public static let signal = LandlockScope(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can restrict.
  public static func handled(abi: Int) -> LandlockScope {
    abi >= 6 ? [.abstractUnixSocket, .signal] : []
  }
}

/// A set of rules being built; it restricts nothing until `restrictSelf()`.
public struct LandlockRuleset: ~Copyable {
  private let descriptor: FileDescriptor
  /// What is refused unless a rule allows it.
  public let handled: LandlockFileAccess

  /// Handles everything that `abi` knows: files, TCP, and the scopes.
  ///
  /// - Throws: `Errno.invalidArgument` if the kernel does not know what its ABI promised.
  public init(abi: Int) throws(Errno) {
    handled = .handled(abi: abi)
    var attributes = clinux_landlock_ruleset()
    attributes.handled_access_fs = handled.rawValue
    attributes.handled_access_net = LandlockNetworkAccess.handled(abi: abi).rawValue
    attributes.scoped = LandlockScope.handled(abi: abi).rawValue
    // The structure grew with the ABIs: an old kernel refuses a size it does not know.
    let size = abi < 4 ? 8 : abi < 6 ? 16 : 24
    descriptor = FileDescriptor(
      owning: Int32(
        try Errno.check(unsafe clinux_landlock_create_ruleset(&attributes, size))))
  }

  /// Allows `access` for the file, or beneath the directory, that `place` names.
  public borrowing func allow(
    _ access: LandlockFileAccess, beneath place: borrowing FileDescriptor
  ) throws(Errno) {
    _ = try Errno.check(
      clinux_landlock_add_path(
        descriptor.rawValue, access.intersection(handled).rawValue, place.rawValue))
  }

  /// Puts the rules in force for this thread and all that comes from it, for ever. Needs no new
  /// privileges (or CAP_SYS_ADMIN).
  public borrowing func restrictSelf() throws(Errno) {
    _ = try Errno.check(clinux_landlock_restrict_self(descriptor.rawValue))
  }
}
