/// One way of getting what no keyboard may have, as data: what the attacker is told to do, what it
/// does it to, and what would show from outside that it worked.
public struct Attack: Sendable {
  /// Unique, `class/mechanism`.
  public var name: String
  public var attackClass: AttackClass
  /// For the table.
  public var summary: String
  /// `sandbox-probe`'s arguments. Words in braces stand for what the decoy is called: `{file}`,
  /// `{address}`, `{pid}` and so on.
  public var arguments: [String]
  public var decoy: DecoyKind
  /// What an observer sees when it works.
  public var evidence: Evidence
  /// What stops it.
  public var protection: Protection
  /// Who can do it outside at all: some things take root's rights.
  public var needsRoot: Bool
  /// Some things are no attack any more with open access.
  public var isAllowedWithOpenAccess: Bool
  /// What open access must not open: the layers are shown with it.
  public var isOfOpenAccess: Bool

  public init(
    _ attackClass: AttackClass, _ mechanism: String, _ summary: String, _ arguments: [String],
    on decoy: DecoyKind, seenBy evidence: Evidence, stoppedBy protection: Protection,
    needsRoot: Bool = false, isAllowedWithOpenAccess: Bool = false, isOfOpenAccess: Bool = false
  ) {
    name = "\(attackClass.rawValue)/\(mechanism)"
    self.attackClass = attackClass
    self.summary = summary
    self.arguments = arguments
    self.decoy = decoy
    self.evidence = evidence
    self.protection = protection
    self.needsRoot = needsRoot
    self.isAllowedWithOpenAccess = isAllowedWithOpenAccess
    self.isOfOpenAccess = isOfOpenAccess
  }
}
