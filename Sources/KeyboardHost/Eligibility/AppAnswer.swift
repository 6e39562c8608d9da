/// What an app said to `shouldAllowExtensionPointIdentifier` for the keyboard extension point.
public enum AppAnswer: String, Sendable, Equatable, CaseIterable {
  /// The app does not implement the question: custom keyboards are allowed.
  case notImplemented = "none"
  /// Yes.
  case allow
  /// No: custom keyboards are refused in the whole app.
  case deny
  /// The answer failed or did not come: a veto.
  case failed
}
