import ClassicBPF
import SandboxPolicy

/// Arguments with which a call does something. A witness holds with any arguments of its set; these
/// make it one that shows its point when it is run.
enum UsualArguments {
  /// The part of a set in which the arguments are usual ones, as far as the set leaves room.
  ///
  /// - Parameter set: inputs of one call; not empty.
  static func narrowed(
    _ set: InputSet, _ call: String?, in sets: InputSets
  ) -> InputSet {
    func with(_ index: Int, _ value: UInt32, _ set: InputSet) -> InputSet {
      let word = PolicyMeaning.lowWord(ofArgument: index)
      let part = sets.intersection(set, sets.word(word, equals: value))
      return part.isEmpty ? set : part
    }
    /// The first of the values that is possible.
    func with(_ index: Int, firstOf values: [UInt32], _ set: InputSet) -> InputSet {
      for value in values {
        let part = with(index, value, set)
        if part != set { return part }
      }
      return set
    }
    switch call {
    case "socket", "socketpair":
      guard let family = sets.element(of: set)?.argument(0) else { return set }
      // SOCK_SEQPACKET for AF_ALG, SOCK_RAW for AF_NETLINK and AF_PACKET, SOCK_STREAM elsewhere;
      // the family stays what it is in the element.
      let type: UInt32 =
        switch UInt32(truncatingIfNeeded: family) {
        case 38: 5
        case 16, 17: 3
        default: 1
        }
      // The usual protocol, else MPTCP, which Linux has since 5.6.
      return with(
        2, firstOf: [0, 262], with(1, type, with(0, UInt32(truncatingIfNeeded: family), set)))
    // CLONE_NEWUSER with CLONE_NEWNS, alone, and what needs no user namespace.
    case "unshare": return with(0, firstOf: [0x1002_0000, 0x1000_0000, 0x0002_0000], set)
    default: return set
    }
  }
}
