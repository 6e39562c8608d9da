/// A set of possible inputs of a filter (system calls with all their arguments), of one
/// ``InputSets``. Two sets of it are the same exactly when these values are equal.
public struct InputSet: Sendable, Hashable {
  let node: Int32

  /// No input.
  public static let none = InputSet(node: 0)
  /// Every input.
  public static let all = InputSet(node: 1)

  /// Whether no input is in the set.
  public var isEmpty: Bool { node == 0 }
}
