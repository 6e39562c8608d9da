/// Why a request of an app was not done. The codes are the protocol's.
public enum AppFault: Int, Sendable, Equatable, CaseIterable, Error {
  /// The text changed meanwhile: `baseRevision` is not the host's. Nothing was changed.
  case stale = 1
  /// No document of that name is open.
  case unknownDocument = 2
  /// A document of that name is open already.
  case documentIsOpen = 3
  /// The document does not have the keyboard, so nothing was typed.
  case notFirstResponder = 4
  /// The field has an input view of the app's own.
  case hasInputView = 5
  /// A bound of documents or of text is reached.
  case limit = 6
  /// The keyboard that is shown has no such key, or there is no such keyboard.
  case unknownKey = 7
  /// The app did not say that it draws the keyboard.
  case notPresenting = 8
  /// The message is none of the protocol. The session ends with it.
  case protocolError = -32600
}
