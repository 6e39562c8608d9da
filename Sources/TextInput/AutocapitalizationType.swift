/// When a keyboard capitalises by itself. The names are those of `UITextAutocapitalizationType`.
public enum AutocapitalizationType: String, Sendable, Equatable, Hashable, CaseIterable {
  case none
  case words
  case sentences
  case allCharacters
}
