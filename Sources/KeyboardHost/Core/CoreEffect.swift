import PluginManifest
import PluginProtocol
import TextInput

/// What the core wants done, in this order. An effect that grants something comes behind the
/// audit event that records it: when the record fails, the driver says so to the core at once
/// and drops the launches that follow.
public enum CoreEffect: Sendable {
  case audit(AuditEvent)
  case launch(InstanceID, keyboard: String, InstanceKind)
  case send(InstanceID, HostMessage)
  case freeze(InstanceID)
  case resume(InstanceID)
  /// End the process and all it started. The core has forgotten it already, but for its end, which it
  /// has to be told by ``CoreInput/ended(_:)``, also of one that was never started.
  case kill(InstanceID)
  case handled(HandledInput)
  /// A keyboard changed a document by itself, outside an event.
  case edited(DocumentID, keyboard: String, revision: UInt64)
  /// The text, the selection or the composing of a document is not what it was.
  case changed(DocumentID)
  case present(Presentation)
  case dismissed(DocumentID)
  /// The app is to change the look of the selection, or of what is typed next.
  case format(DocumentID, RichTextCommand)
  /// The sound of a key is to be heard, from the keyboard that shows for the document.
  case click(DocumentID)
  /// A document was closed, with this text in it.
  case closed(DocumentID, text: String)
  /// Find out about a word, without keeping anybody waiting; only the last question counts.
  case ask(DocumentID, revision: UInt64, WordQuestion)
  /// Ask a service for a keyboard that was granted it, without keeping anybody waiting.
  case serve(InstanceID, request: Int64, ServiceQuestion)
  /// Ask the user whether a keyboard may use a service; only where ``HostCore/canAskUser`` says so.
  case askUser(keyboard: String, KeyboardService)
  /// What was asked cannot be done; the message is for the one who asked.
  case rejected(message: String)
  /// The input with this ticket did nothing and will do nothing.
  case dropped(ticket: UInt64)
  /// An app's edit was not made: it was meant for another revision, or the document has no such
  /// range or no room.
  case refused(DocumentID)
}
