/// A named value in an audit line. The name is one of the program's own.
public struct AuditField: Sendable, Equatable {
  public let name: String
  public let value: AuditValue

  public init(_ name: StaticString, _ value: AuditValue) {
    self.name = "\(name)"
    self.value = value
  }
  /// A name from a fixed vocabulary, such as a sandbox layer's.
  public init<Word: RawRepresentable & CaseIterable>(named name: Word, _ value: AuditValue)
  where Word.RawValue == String {
    self.name = name.rawValue
    self.value = value
  }
}
