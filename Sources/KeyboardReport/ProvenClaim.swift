import PolicyAudit

/// A claim, and whether the program keeps it for every input.
public struct ProvenClaim: Sendable {
  /// As `keyhost audit prove --claim` knows it.
  public let name: String
  /// One sentence that says what is claimed.
  public let title: String
  public let outcome: ClaimProver.Outcome

  public init(name: String, title: String, outcome: ClaimProver.Outcome) {
    self.name = name
    self.title = title
    self.outcome = outcome
  }

  public var isProven: Bool {
    if case .proven = outcome { true } else { false }
  }

  /// A call that breaks the claim; nil where it is proven.
  public var witness: Witness? {
    if case .broken(let witnesses) = outcome { witnesses.first } else { nil }
  }
}
