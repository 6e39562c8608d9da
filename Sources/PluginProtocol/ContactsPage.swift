/// Some of the user's contacts: as many as fit into a message.
public struct ContactsPage: Sendable, Equatable {
  public var contacts: [Contact]
  /// How many there are in all.
  public var total: Int
  /// Where the next page begins; nil for the last one.
  public var nextOffset: Int?

  public init(contacts: [Contact], total: Int, nextOffset: Int? = nil) {
    self.contacts = contacts
    self.total = total
    self.nextOffset = nextOffset
  }

  /// The page that begins at an offset in a list, with as many as fit.
  public init(of all: [Contact], from offset: Int) {
    var room = ProtocolLimits.contactsBytes
    var page: [Contact] = []
    for contact in all.dropFirst(max(offset, 0)).prefix(ProtocolLimits.contacts) {
      room -= contact.clipped.encodedSize
      // A card by itself always fits: each of its parts is bounded.
      if room < 0, !page.isEmpty { break }
      page.append(contact.clipped)
    }
    let end = max(offset, 0) + page.count
    self.init(
      contacts: page, total: all.count, nextOffset: end < all.count && !page.isEmpty ? end : nil)
  }
}
