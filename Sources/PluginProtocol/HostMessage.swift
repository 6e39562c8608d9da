import TextInput

/// A message from the host to a keyboard.
public enum HostMessage: Sendable, Equatable {
  /// The first request; the answer is an ``InitializeResult``.
  case initialize(id: Int64, InitializeRequest)
  /// A field that the keyboard may serve got focus; the state holds its traits.
  case focus(FieldState)
  /// The focused field's text, selection or traits changed.
  case change(FieldState, cause: ChangeCause, textChanged: Bool, selectionChanged: Bool)
  /// The field lost focus.
  case blur
  /// The user did something; the answer is a `Transaction`.
  case event(id: Int64, FieldState, InputEvent)
  /// The settings changed; these are all of them.
  case settings([Setting])
  /// The place where the keyboard is shown changed.
  case environment(LayoutEnvironment)
  /// The answer to a keyboard's `transaction`: when it was not applied, the state tells why, and
  /// is nil when no field has focus.
  case transactionReply(id: Int64, applied: Bool, FieldState?)
  /// The answer to a keyboard's `lexicon`.
  case lexiconReply(id: Int64, [LexiconEntry])
  /// The answer to a keyboard's `contacts/fetch`.
  case contactsReply(id: Int64, ContactsPage)
  /// The answer to a keyboard's `location/request`.
  case locationReply(id: Int64, Location)
  /// The answer to a request that failed, or to a message without a usable id.
  case failure(id: Int64?, code: Int, message: String)
  /// Asks the keyboard to end its work; the answer is null.
  case shutdown(id: Int64)
  /// Tells the keyboard to exit now.
  case exit
  /// A message that this version does not know: a request if it has an id, else a notification.
  case unrecognized(id: Int64?, method: String)

  /// The same, but nothing of the user's own from a service: what cannot be recorded is not given.
  package var withheld: HostMessage {
    switch self {
    case .contactsReply(let id, _), .locationReply(let id, _):
      .failure(
        id: id, code: PluginMessage.tooMany,
        message: "what is recorded of this keyboard in a day is used up: it is told no more today")
    default: self
    }
  }
}
