import StrictJSON
import TextInput

/// A message from a keyboard to the host.
public enum PluginMessage: Sendable {
  /// The code of the error by which a keyboard leaves an event to the host's own keyboard: no
  /// failure, unlike every other error.
  public static let declined = -32001

  /// The code of the host's error for what the user did not grant.
  public static let notAuthorized = -32010
  /// The code of the host's error for what is not to be had now, such as a location.
  public static let unavailable = -32011
  /// The code of the host's error for what was asked for too often.
  public static let tooMany = -32012

  /// The result of a request of the host, to be read as what that request asked for.
  case response(id: Int64, JSONValue)
  /// A request of the host failed in the keyboard.
  case errorResponse(id: Int64, code: Int, message: String)
  /// Edits outside an event, for the document and revision they are meant for.
  case transaction(id: Int64, documentIdentifier: String, revision: UInt64, Transaction)
  /// Asks for the supplementary lexicon.
  case lexicon(id: Int64)
  /// Asks for the user's contacts, from that one on.
  case contacts(id: Int64, offset: Int)
  /// Asks where the machine is.
  case location(id: Int64)
}
