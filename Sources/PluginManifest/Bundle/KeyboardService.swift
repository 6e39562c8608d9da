/// What of the user's own a keyboard may ask the host for, each with a grant of its own on top of open
/// access.
public enum KeyboardService: String, Sendable, CaseIterable {
  /// The cards of the user's contacts: names, phone numbers and e-mail addresses.
  case contacts
  /// Where the machine is.
  case location

  /// The key of the keyboard's `Info.plist` that says what it wants the service for. Without it there is
  /// nothing to tell the user, and no grant, as on the phone.
  public var usageKey: String {
    switch self {
    case .contacts: "NSContactsUsageDescription"
    case .location: "NSLocationWhenInUseUsageDescription"
    }
  }
}
