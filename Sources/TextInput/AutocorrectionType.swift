/// Whether a field wants correction. The names are those of `UITextAutocorrectionType`.
public enum AutocorrectionType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case no
  case yes
}
