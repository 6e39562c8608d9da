/// Whether hyphens become dashes. The names are those of `UITextSmartDashesType`.
public enum SmartDashesType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case no
  case yes
}
