/// The user ids that keyboards run under when the host is root.
public enum KeyboardIdentity {
  /// 30,000 ids that no distribution hands out: Debian Policy 9.2.2 leaves 60000 to 64999 to
  /// allocation by policy and 65536 and up to the administrator; useradd's subordinate ids begin
  /// at 100000 (login.defs, SUB_UID_MIN); systemd uses 61184 to 65519 for dynamic users and
  /// 524288 and up for containers ("Users, Groups, UIDs and GIDs on systemd Systems").
  public static let range: ClosedRange<UInt32> = 70_000...99_999

  /// The lowest id no keyboard has and that does not own a container on the disk.
  static func next(
    used: some Sequence<UInt32>, owners: Set<UInt32>
  ) -> UInt32? {
    let taken = owners.union(used)
    return range.first { !taken.contains($0) }
  }
}
