/// Whether a field wants its spelling checked. The names are those of `UITextSpellCheckingType`.
public enum SpellCheckingType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case no
  case yes
}
