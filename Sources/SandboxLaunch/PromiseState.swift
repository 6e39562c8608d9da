/// How far a promise is kept on a machine.
public enum PromiseState: String, Sendable {
  /// By every layer that the table names.
  case kept
  /// By one of its two.
  case keptByOne
  case notKept
}
