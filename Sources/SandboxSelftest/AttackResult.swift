import SandboxLaunch

/// What came of one attack.
public struct AttackResult: Sendable {
  public enum Verdict: Sendable, Equatable {
    /// It works outside and does not inside; the groups of layers that hold by themselves.
    case refused(by: [Set<SandboxLayer>])
    /// It worked inside, in this situation.
    case gotThrough(String)
    /// It is refused, but nothing shows that the listed layers are the reason.
    case unproven(String)
    /// It does not work outside either, or its decoy cannot be made here.
    case notTestable(String)
  }

  public var attack: Attack
  public var verdict: Verdict
  /// What the attacker met inside.
  public var remark: String
}
