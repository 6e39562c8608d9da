import SandboxPolicy

/// Something a filter is said never to let through: data with a name that a person understands.
public struct Claim: Sendable, Hashable {
  /// One kind of call that must never run.
  public struct Pattern: Sendable, Hashable {
    /// Names; on architectures where a call of this name is multiplexed, that way counts too.
    public var calls: [String]
    /// All must hold; none means any arguments.
    public var conditions: [ArgumentPattern]

    public init(calls: [String], conditions: [ArgumentPattern] = []) {
      self.calls = calls
      self.conditions = conditions
    }
  }

  /// A condition on one argument, at the width at which the kernel reads it.
  public struct ArgumentPattern: Sendable, Hashable {
    /// 0 to 5.
    public var index: Int
    /// The bits that count: 0xffffffff for an int, all 64 for a pointer or a long.
    public var mask: UInt64
    /// The argument, so masked, is one of these …
    public var values: [UInt64]
    /// … or, if this is set, is none of them.
    public var isNegated: Bool

    public init(index: Int, mask: UInt64 = 0xffff_ffff, values: [UInt64], isNegated: Bool = false) {
      self.index = index
      self.mask = mask
      self.values = values
      self.isNegated = isNegated
    }
  }

  /// As it is asked for: `no-network`.
  public var name: String
  /// One sentence that says what is claimed.
  public var title: String
  public var never: [Pattern]
  /// Whether no call of another architecture than the machine's own may run either.
  public var nativeOnly: Bool
  /// Names of the grant states of our own policies for which it must be proven.
  public var holds: Set<String>

  public init(
    name: String, title: String, never: [Pattern], nativeOnly: Bool = false,
    holds: Set<String> = []
  ) {
    self.name = name
    self.title = title
    self.never = never
    self.nativeOnly = nativeOnly
    self.holds = holds
  }
}
