import TextInput

/// A message from the host to an app.
public enum ServerMessage: Sendable, Equatable {
  case reply(id: Int64, ServerReply)
  /// A request that was not done; without an id, why the session ends.
  case failure(id: Int64?, code: Int, message: String)
  /// The question whether the app allows extensions of this kind; the answer is a boolean.
  case shouldAllowExtensionPoint(id: Int64, identifier: String)
  case textChanged(TextChange)
  case keyboard(KeyboardNotification)
  case presentation(KeyboardPresentation)
  /// The app is to change the look of the selection, or of what is typed next.
  case format(document: String, RichTextCommand)
  /// The sound of a key is to be heard now.
  case inputClick(document: String)
  /// The user dismissed the keyboard by its own key: the field is first responder no more.
  case dismissed(document: String)
  /// A field of another app got the keyboard.
  case resigned(document: String)

  /// The one extension point there is.
  public static let keyboardExtensionPoint = "com.apple.keyboard-service"
}
