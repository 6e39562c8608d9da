/// The look a field asks its keyboard to have. The names are those of `UIKeyboardAppearance`.
public enum KeyboardAppearance: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case dark
  case light
}
