/// A reason of a decision: a word for programs and a sentence for people.
public struct ShownReason: Sendable, Equatable {
  /// Stays the same from version to version.
  public var code: String
  public var text: String

  public init(code: String, text: String) {
    self.code = code
    self.text = text
  }
}
