import StrictJSON

/// A message from an app to the host.
public enum AppMessage: Sendable {
  case request(id: Int64, AppRequest)
  /// The answer to the host's question; nil when it is no boolean.
  case answer(id: Int64, Bool?)
  /// The app could not answer the host's question.
  case failure(id: Int64, code: Int, message: String)
  /// The app would answer `shouldAllowExtensionPointIdentifier` differently now.
  case extensionPointAnswerChanged
}
