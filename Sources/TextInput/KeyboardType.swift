/// The kind of keyboard a field asks for. The names are those of `UIKeyboardType`.
public enum KeyboardType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case asciiCapable
  case numbersAndPunctuation
  // The name is that of UIKeyboardType.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case URL
  case numberPad
  case phonePad
  case namePhonePad
  case emailAddress
  case decimalPad
  case twitter
  case webSearch
  case asciiCapableNumberPad
}
