import StrictJSON

extension Contact {
  /// With everything cut to its bound.
  var clipped: Contact {
    func clip(_ text: String) -> String { text.clipped(to: ProtocolLimits.nameBytes) }
    return Contact(
      givenName: clip(givenName), familyName: clip(familyName),
      organizationName: clip(organizationName),
      phoneNumbers: phoneNumbers.prefix(ProtocolLimits.contactValues).map(clip),
      emailAddresses: emailAddresses.prefix(ProtocolLimits.contactValues).map(clip))
  }

  var encodedSize: Int {
    var writer = JSONWriter()
    encode(into: &writer)
    return writer.bytes.count + 1
  }

  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("givenName", givenName)
    writer.member("familyName", familyName)
    writer.member("organizationName", organizationName)
    for (key, values) in [("phoneNumbers", phoneNumbers), ("emailAddresses", emailAddresses)] {
      writer.key(key)
      writer.beginArray()
      for value in values { writer.value(value) }
      writer.endArray()
    }
    writer.endObject()
  }

  init(decoding value: JSONValue) throws(JSONError) {
    func text(_ name: String) throws(JSONError) -> String {
      try value.need(name).needString(name, bytes: ProtocolLimits.lineBytes)
    }
    func texts(_ name: String) throws(JSONError) -> [String] {
      var found: [String] = []
      for element in try value.need(name).needElements(name, atMost: ProtocolLimits.contactValues) {
        found.append(try element.needString(name, bytes: ProtocolLimits.lineBytes))
      }
      return found
    }
    self.init(
      givenName: try text("givenName"), familyName: try text("familyName"),
      organizationName: try text("organizationName"), phoneNumbers: try texts("phoneNumbers"),
      emailAddresses: try texts("emailAddresses"))
  }
}

extension ContactsPage {
  func encodeMembers(into writer: inout JSONWriter) {
    writer.key("contacts")
    writer.beginArray()
    for contact in contacts { contact.encode(into: &writer) }
    writer.endArray()
    writer.member("total", total)
    if let nextOffset { writer.member("nextOffset", nextOffset) }
  }

  init(decoding value: JSONValue) throws(JSONError) {
    var contacts: [Contact] = []
    for element in try value.need("contacts").needElements(
      "contacts", atMost: ProtocolLimits.contacts)
    {
      contacts.append(try Contact(decoding: element))
    }
    let range = 0...Int64(Int32.max)
    self.init(
      contacts: contacts, total: Int(try value.need("total").needInteger("total", in: range)),
      nextOffset: try value["nextOffset"].map { (next) throws(JSONError) in
        Int(try next.needInteger("nextOffset", in: range))
      })
  }
}

extension Location {
  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("latitude", latitude)
    writer.member("longitude", longitude)
    writer.member("horizontalAccuracy", horizontalAccuracy)
    writer.member("timestamp", timestamp)
    writer.endObject()
  }

  init(decoding value: JSONValue) throws(JSONError) {
    func number(_ name: String) throws(JSONError) -> Double {
      let member = try value.need(name)
      guard member.kind == .number, let number = member.double else {
        throw member.error("\"\(name)\" is not a number")
      }
      return number
    }
    guard
      let location = Location(
        latitude: try number("latitude"), longitude: try number("longitude"),
        horizontalAccuracy: try number("horizontalAccuracy"), timestamp: try number("timestamp"))
    else { throw value.error("\"location\" is no place on Earth") }
    self = location
  }
}
