/// What came of one check of one keyboard.
public struct ConformanceResult: Sendable, Equatable {
  public enum Verdict: String, CaseIterable, Sendable {
    case passed
    /// Something its author should know; nobody is kept from using it.
    case remark
    case failed
  }

  public var keyboard: String
  public var check: ConformanceCheck
  public var verdict: Verdict
  /// What was found, safe to show; nil where there is nothing to say.
  public var detail: String?
}
