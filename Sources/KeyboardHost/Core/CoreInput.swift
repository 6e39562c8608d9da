import PluginManifest
import PluginProtocol
import TextInput

/// Everything that can happen to the core. It does no I/O of its own.
public enum CoreInput: Sendable {
  // From apps and the person.
  case open(DocumentID, app: String?, answer: AppAnswer, traits: TextInputTraits, text: String)
  case close(DocumentID)
  /// What a document that was just opened is for, as its app names it: the keyboard that was picked
  /// for the last document of that name serves this one, too.
  case inputContext(DocumentID, String)
  case focus(DocumentID?)
  case user(UserInput)
  /// The same, and the ticket comes back in the effect that tells how it was handled.
  case ticketed(UserInput, ticket: UInt64)
  case traits(DocumentID, TextInputTraits)
  case appEdit(DocumentID, AppEdit)
  case appAnswer(app: String, AppAnswer)
  /// The answer of the one app that this document belongs to.
  case answer(DocumentID, AppAnswer)
  /// Whether the app shows an input view of its own for the field.
  case inputView(DocumentID, isOwn: Bool)
  case configuration(HostConfiguration)

  // From the process of a keyboard.
  case launched(InstanceID)
  case launchFailed(InstanceID, message: String)
  case message(InstanceID, PluginMessage)
  case protocolError(InstanceID, ProtocolError)
  /// It closed a descriptor it needs, or reads no more although it lives.
  case unreachable(InstanceID, reason: String)
  case exited(InstanceID, description: String)
  /// Nothing is left of the process that ``CoreEffect/kill(_:)`` ended.
  case ended(InstanceID)
  case stopped(InstanceID)
  case continuedWhileFrozen(InstanceID)
  /// It broke a limit (memory, storage, refused calls) and has to go.
  case overstepped(InstanceID, reason: String)
  /// A debugger took hold of a keyboard that is debugged, or let go of it.
  case debugger(InstanceID, isAttached: Bool)

  /// What was found out about the word of a document at a revision.
  case wordAnswer(DocumentID, revision: UInt64, WordAnswer)

  case serviceAnswer(InstanceID, request: Int64, ServiceAnswer)
  /// The user was asked, and has decided; what was granted is in the configuration by now.
  case userDecided(keyboard: String, KeyboardService)

  // From the host itself.
  case auditUnavailable(message: String)
  /// The host is about to end: keyboards are asked to end, and given a moment to do so.
  case shutDown
  /// Nothing but the clock moved.
  case tick
}
