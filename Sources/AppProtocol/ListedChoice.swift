/// A keyboard of the user's list, as the globe's long press shows it for a field.
public struct ListedChoice: Sendable, Equatable {
  /// What `selectKeyboard` takes; `system` is the host's own.
  public var identifier: String
  public var displayName: String
  public var isSelected: Bool
  public var mayServe: Bool
  /// Why it may serve the field, or why not.
  public var reasons: [ShownReason]

  public init(
    identifier: String, displayName: String, isSelected: Bool, mayServe: Bool,
    reasons: [ShownReason]
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.isSelected = isSelected
    self.mayServe = mayServe
    self.reasons = reasons
  }
}
