import CLinux

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
