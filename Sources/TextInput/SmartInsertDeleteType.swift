/// Whether spaces are fitted around edits. The names are those of `UITextSmartInsertDeleteType`.
public enum SmartInsertDeleteType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case no
  case yes
}
