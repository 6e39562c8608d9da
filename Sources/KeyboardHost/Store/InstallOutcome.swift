/// What an installation did.
public struct InstallOutcome: Sendable, Equatable {
  public var app: InstalledApp
  /// The version that was replaced; nil for an app that was not there before.
  public var replacedVersion: String?
  /// Keyboards that ask for open access, which their replaced version did not.
  public var newlyRequestOpenAccess: [String]
  /// Keyboards that were taken out of the list, since they ask for open access and their replaced
  /// version did not, each with the place it had, from 1: the user has agreed to another keyboard.
  public var disabled: [DisabledKeyboard]
  /// Keyboards whose open access ended, since they do not ask for it any more.
  public var lostOpenAccess: [String]
  /// Keys whose values, set by the user, the new version cannot use: they have ended.
  public var resetSettings: [String]
}
