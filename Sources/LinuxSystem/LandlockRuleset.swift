import CLinux

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
