/// Whether quotes become typographic ones. The names are those of `UITextSmartQuotesType`.
public enum SmartQuotesType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case no
  case yes
}
