import SandboxPolicy

/// A mistake that a policy makes, with its place, its effect and a way to mend it.
public struct LintFinding: Sendable, Hashable {
  /// The classes of mistakes, each seen in policies that are in use.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An int is compared over 64 bits, so the same call gets two answers.
    case wideCompare = "wide-compare"
    /// A mask of 0, or a datum with bits outside its mask.
    case mask
    /// A conditional rule beside an unconditional one, which wins.
    case shadowed
    /// Two rules with different answers where both hold.
    case contradiction
    /// One argument compared twice in a rule.
    case repeatedArgument = "repeated-argument"
    /// A condition on an address.
    case pointer
    /// A name that is no system call here.
    case unknownName = "unknown-name"
    /// A call left open beside one that is closed and does the same.
    case sibling
    /// Calls of another architecture, judged by nobody or otherwise than the native ones.
    case architecture
    /// A refusal with EPERM where the C library expects ENOSYS.
    case probe
    /// Every call of the machine's own architecture runs.
    case allowsAll = "allows-all"
    /// No way to end the process.
    case noExit = "no-exit"
    /// One thread is killed, and the others go on.
    case killThread = "kill-thread"
    /// An error number that reports success.
    case errnoZero = "errno-zero"
    /// LOG, which allows.
    case log
    /// Something else that was noticed in reading.
    case reading
  }

  public var kind: Kind
  /// Where, as far as it has a place.
  public var location: PolicyLocation?
  /// What is wrong and what it does.
  public var message: String
  /// What to write instead, where that can be said; JSON for a rule.
  public var remedy: String?
  /// A call that shows it.
  public var witness: Witness?
}
