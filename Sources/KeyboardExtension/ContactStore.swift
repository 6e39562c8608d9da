import PluginProtocol

/// The user's contacts, for a keyboard with open access that was granted them.
public final class ContactStore {
  /// Called with all contacts, or with why there are none to be had.
  public typealias Completion = (Result<[Contact], ServiceError>) -> Void

  var requests: [Completion] = []

  /// Asks for all contacts. Where there is a user to ask, the first time can take as long as the answer
  /// does: the keyboard goes on meanwhile.
  public func fetchContacts(completion: @escaping Completion) { requests.append(completion) }
}
