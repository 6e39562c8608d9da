/// What an input showed to be wrong.
public struct FuzzFinding: Error, Equatable, Sendable, CustomStringConvertible {
  /// What does not hold, in words for the one who mends it.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Says what holds for every input.
func demand(
  _ condition: Bool, _ message: @autoclosure () -> String
) throws(FuzzFinding) {
  if !condition { throw FuzzFinding(message()) }
}

/// The value of an expression that may not throw here.
func mustNotThrow<Value, Failure: Error>(
  _ message: @autoclosure () -> String, _ body: () throws(Failure) -> Value
) throws(FuzzFinding) -> Value {
  do { return try body() } catch { throw FuzzFinding("\(message()): \(error)") }
}
