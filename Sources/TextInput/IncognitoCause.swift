/// Why what is typed into a field is not to be kept by anybody but its app.
public enum IncognitoCause: String, Sendable, Equatable, CaseIterable {
  /// It is the number of a card.
  case creditCardNumber
  /// Its app wants nothing of it remembered (``TextInputTraits/isPrivate``).
  case privateField
  /// It is a terminal (``TextInputTraits/isTerminal``), where passwords are typed that nobody marks.
  case terminal
}

extension TextInputTraits {
  /// Every reason why the field is incognito; none for an ordinary one.
  public var incognitoCauses: [IncognitoCause] {
    var causes: [IncognitoCause] = []
    if textContentType == .known(.creditCardNumber) { causes.append(.creditCardNumber) }
    // What cannot be read counts: a field that might be private is treated as if it was.
    if !isPrivate.isAbsentOrFalse { causes.append(.privateField) }
    if !isTerminal.isAbsentOrFalse { causes.append(.terminal) }
    return causes
  }
}
