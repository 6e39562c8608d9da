import PluginProtocol

/// The cards of the user's contacts, from the same folders as the names of the lexicon: names,
/// organization, phone numbers and e-mail addresses, and nothing else of them.
struct ContactCards: Sendable, Equatable {
  /// The most cards.
  static let maximumCards = 5_000

  /// By family name and given name.
  private(set) var contacts: [Contact] = []

  init(folders: [String]) {
    var found: [Contact] = []
    _ = VCardFiles.read(folders) { content in
      let room = Self.maximumCards - found.count
      found += Self.cards(in: content).prefix(room)
      return (faults: [], isFull: found.count >= Self.maximumCards)
    }
    contacts = found.sorted { one, other in
      (one.familyName, one.givenName, one.organizationName)
        < (other.familyName, other.givenName, other.organizationName)
    }
  }

  /// What is no vCard is passed over: `keyhost contacts list` tells of it.
  static func cards(in bytes: [UInt8]) -> [Contact] {
    guard String(validating: bytes, as: UTF8.self) != nil else { return [] }
    var found: [Contact] = []
    var card: Contact?
    var formatted = ""
    VCardReader.eachLine(of: bytes) { _, line in
      guard let property = VCardReader.Property(line) else { return }
      if ["BEGIN", "END"].contains(property.name), property.isOfCard {
        if property.name == "END", var whole = card {
          if whole.givenName.isEmpty, whole.familyName.isEmpty { whole.givenName = formatted }
          if whole != Contact() { found.append(whole) }
        }
        card = property.name == "BEGIN" ? Contact() : nil
        formatted = ""
      } else if property.name == "FN" {
        formatted = value(of: property)
      } else {
        take(property, into: &card)
      }
    }
    return found
  }

  private static func take(_ property: VCardReader.Property, into card: inout Contact?) {
    guard card != nil else { return }
    switch property.name {
    case "N":
      let parts = VCardReader.split(property.value[...], at: ";").map(clean)
      card?.familyName = parts.first ?? ""
      card?.givenName = parts.dropFirst().first ?? ""
    case "ORG":
      card?.organizationName =
        VCardReader.split(property.value[...], at: ";").first.map(clean) ?? ""
    case "TEL":
      var number = value(of: property)
      // As version 4.0 may have it.
      if number.lowercased().hasPrefix("tel:") { number = String(number.dropFirst(4)) }
      if !number.isEmpty { card?.phoneNumbers.append(number) }
    case "EMAIL":
      let address = value(of: property)
      if !address.isEmpty { card?.emailAddresses.append(address) }
    default: break
    }
  }

  private static func value(of property: VCardReader.Property) -> String {
    property.isQuotedPrintable ? "" : clean(property.value[...])
  }

  /// Without the spaces around it; empty where it holds a control character.
  private static func clean(_ text: Substring) -> String {
    let plain = VCardReader.unescaped(text)
    let inner = plain.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let result = String(inner)
    return result.unicodeScalars.contains(where: \.isControlOrFormatting) ? "" : result
  }
}
