import CLinux
import Glibc

/// Ids and capabilities of the calling thread, by the raw calls: for single-threaded programs.
public enum Credentials {
  /// Gives up every supplementary group.
  public static func dropSupplementaryGroups() throws(Errno) {
    _ = try Errno.check(clinux_setgroups_none())
  }

  /// Becomes this group, real, effective and saved.
  public static func setGroup(_ group: UInt32) throws(Errno) {
    _ = try Errno.check(clinux_setresgid(group))
  }

  /// Becomes this user, real, effective and saved.
  public static func setUser(_ user: UInt32) throws(Errno) {
    _ = try Errno.check(clinux_setresuid(user))
  }

  /// Whether real, effective and saved ids are all this one, for user and group, and no
  /// supplementary group is left.
  public static func areExactly(user: UInt32, group: UInt32, allowGroups: Bool) -> Bool {
    var users: [UInt32] = [0, 0, 0]
    var groups: [UInt32] = [0, 0, 0]
    guard unsafe clinux_getresuid(&users) == 0, unsafe clinux_getresgid(&groups) == 0 else {
      return false
    }
    return users.allSatisfy { $0 == user } && groups.allSatisfy { $0 == group }
      && (allowGroups || getgroups(0, nil) == 0)
  }
}

/// The capability sets of the calling thread.
public enum Capabilities {
  /// The highest capability the running kernel may know: the loops below end at the first it
  /// does not.
  private static let end: UInt = 64

  /// Effective, permitted and inheritable, all emptied.
  public static func clear() throws(Errno) { _ = try Errno.check(clinux_capset(0, 0, 0)) }

  /// PR_CAP_AMBIENT_CLEAR_ALL.
  public static func clearAmbient() throws(Errno) {
    _ = try Errno.check(clinux_prctl(47, 4, 0, 0, 0))
  }

  /// PR_CAPBSET_DROP for each that the kernel knows. Needs CAP_SETPCAP.
  public static func clearBounding() throws(Errno) {
    for number in 0..<end {
      let result = clinux_prctl(24, number, 0, 0, 0)
      if result == -Int(EINVAL) { return }
      _ = try Errno.check(result)
    }
  }

  /// Whether the bounding set is empty.
  public static var boundingIsEmpty: Bool {
    for number in 0..<end {
      let result = clinux_prctl(23, number, 0, 0, 0)
      if result < 0 { return true }
      if result == 1 { return false }
    }
    return true
  }

  /// Whether effective, permitted and inheritable are all empty.
  public static var areEmpty: Bool {
    var sets: (UInt64, UInt64, UInt64) = (0, 0, 0)
    guard unsafe clinux_capget(&sets.0, &sets.1, &sets.2) == 0 else { return false }
    return sets == (0, 0, 0)
  }
}
