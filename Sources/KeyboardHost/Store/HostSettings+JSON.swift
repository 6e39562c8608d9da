import NetworkBroker
import StrictJSON
import TerminalText
import TextInput

extension HostSettings {
  /// The version of the settings file's form. A file of another version is refused, not guessed.
  static let version: Int64 = 1

  /// The settings as a JSON document over several lines, for people to read, ended by a newline.
  package func encoded() -> [UInt8] {
    var lines: [String] = []
    func member(_ key: String, _ write: (inout JSONWriter) -> Void) {
      var name = JSONWriter()
      name.value(key)
      var value = JSONWriter()
      write(&value)
      lines.append("  \(name.string): \(value.string)")
    }
    member("version") { $0.value(Self.version) }
    member("enabledKeyboards") { writer in
      writer.beginArray()
      for keyboard in enabledKeyboards { writer.value(keyboard) }
      writer.endArray()
    }
    member("openAccess") { writer in
      writer.beginArray()
      for keyboard in openAccess.sorted() { writer.value(keyboard) }
      writer.endArray()
    }
    member("allowedHosts") { writer in
      writer.beginObject()
      for (keyboard, hosts) in allowedHosts.sorted(by: { $0.key < $1.key }) {
        writer.key(keyboard)
        writer.beginArray()
        for host in hosts.map(\.description).sorted() { writer.value(host) }
        writer.endArray()
      }
      writer.endObject()
    }
    member("services") { encodeServices(into: &$0) }
    member("identities") { writer in
      writer.beginObject()
      for (keyboard, user) in identities.sorted(by: { $0.key < $1.key }) {
        writer.member(keyboard, user)
      }
      writer.endObject()
    }
    member("owners") { writer in
      writer.beginObject()
      for (keyboard, app) in owners.sorted(by: { $0.key < $1.key }) {
        writer.member(keyboard, app)
      }
      writer.endObject()
    }
    member("textReplacements") { writer in
      writer.beginArray()
      for replacement in textReplacements {
        writer.beginObject()
        writer.member("userInput", replacement.userInput)
        writer.member("documentText", replacement.documentText)
        writer.endObject()
      }
      writer.endArray()
    }
    member("weakenings") { writer in
      writer.beginObject()
      for (keyboard, layers) in weakenings.sorted(by: { $0.key < $1.key }) {
        writer.key(keyboard)
        writer.beginArray()
        for layer in layers.sorted() { writer.value(layer) }
        writer.endArray()
      }
      writer.endObject()
    }
    member("contactFolders") { writer in
      writer.beginArray()
      for folder in contactFolders { writer.value(folder) }
      writer.endArray()
    }
    member("appSettings") { encodeAppSettings(into: &$0) }
    member("place") { encodePlace(into: &$0) }
    member("systemKeyboard") { typing.encode(into: &$0) }
    return Array(("{\n" + lines.joined(separator: ",\n") + "\n}\n").utf8)
  }

  /// Reads a settings file strictly: an unknown key, a wrong type or a repeated keyboard is an
  /// error with its place. A key that is missing keeps its first value.
  package init(decoding bytes: [UInt8]) throws(JSONError) {
    let root = try JSONDocument(parsing: bytes).root
    guard let members = root.members else { throw root.error("the settings are not an object") }
    guard let version = root["version"] else {
      throw root.error("the key `version` is missing")
    }
    guard version.int64 == Self.version else {
      throw version.error("`version` is not \(Self.version), the only one this program knows")
    }
    self.init()
    for (key, value) in members {
      switch key {
      case "version": break
      case "enabledKeyboards":
        enabledKeyboards = try Self.names(value, key)
        if !enabledKeyboards.contains(Self.systemKeyboard) {
          throw value.error("`enabledKeyboards` lacks `system`, which is always in the list")
        }
      case "openAccess": openAccess = Set(try Self.names(value, key))
      case "allowedHosts":
        for (keyboard, hosts) in try Self.object(value, key) {
          allowedHosts[keyboard] = try Self.hosts(hosts, key)
        }
      case "services":
        for (keyboard, granted) in try Self.object(value, key) {
          services[keyboard] = try Self.services(try Self.names(granted, key), granted)
        }
      case "place": place = try Self.place(value)
      case "identities": identities = try Self.identities(value)
      case "owners":
        for (keyboard, app) in try Self.object(value, key) {
          guard let app = app.string else {
            throw app.error("a value of `owners` is not a string")
          }
          owners[keyboard] = app
        }
      case "textReplacements": textReplacements = try Self.replacements(value)
      case "contactFolders":
        contactFolders = try Self.names(value, key)
        if let fault = contactFolders.lazy.compactMap(Self.faultOfFolder).first {
          throw value.error("an element of `contactFolders` \(fault)")
        }
      case "appSettings": appSettings = try Self.appSettings(value)
      case "systemKeyboard": typing = try SystemKeyboardSettings(decoding: value)
      case "weakenings":
        for (keyboard, layers) in try Self.object(value, key) {
          weakenings[keyboard] = Set(try Self.names(layers, key))
        }
      default:
        throw root.error(atKey: key, "the key `\(VisibleText.escape(key, limit: 60))` is not known")
      }
    }
  }

  static func object(
    _ value: JSONValue, _ key: String
  ) throws(JSONError) -> [(key: String, value: JSONValue)] {
    guard let members = value.members else { throw value.error("`\(key)` is not an object") }
    return members
  }

  private static func names(_ value: JSONValue, _ key: String) throws(JSONError) -> [String] {
    guard let elements = value.elements else { throw value.error("`\(key)` is not an array") }
    var found: [String] = []
    for element in elements {
      guard let name = element.string else {
        throw element.error("an element of `\(key)` is not a string")
      }
      guard !found.contains(name) else {
        throw element.error("an element of `\(key)` stands there twice")
      }
      found.append(name)
    }
    return found
  }

  private static func hosts(
    _ value: JSONValue, _ key: String
  ) throws(JSONError) -> Set<SocketAddress> {
    var found: Set<SocketAddress> = []
    for text in try names(value, key) {
      guard let host = SocketAddress(text), AddressRule.faultOfException(host) == nil else {
        throw value.error("`\(key)` holds what is no ADDRESS:PORT that can be opened")
      }
      found.insert(host)
    }
    return found
  }

  private static func identities(_ value: JSONValue) throws(JSONError) -> [String: UInt32] {
    var found: [String: UInt32] = [:]
    for (keyboard, number) in try object(value, "identities") {
      guard let user = number.uint64.flatMap(UInt32.init(exactly:)),
        KeyboardIdentity.range.contains(user)
      else {
        throw number.error(
          "an identity is not a number from \(KeyboardIdentity.range.lowerBound) to "
            + "\(KeyboardIdentity.range.upperBound)")
      }
      guard !found.values.contains(user) else {
        throw number.error("the identity \(user) belongs to two keyboards")
      }
      found[keyboard] = user
    }
    return found
  }

  private static func replacements(_ value: JSONValue) throws(JSONError) -> [TextReplacement] {
    guard let elements = value.elements else {
      throw value.error("`textReplacements` is not an array")
    }
    var found: [TextReplacement] = []
    for element in elements {
      var userInput: String?
      var documentText: String?
      for (key, value) in try object(element, "textReplacements") {
        guard let text = value.string else { throw value.error("`\(key)` is not a string") }
        switch key {
        case "userInput": userInput = text
        case "documentText": documentText = text
        default:
          throw element.error(
            atKey: key, "the key `\(VisibleText.escape(key, limit: 60))` is not known")
        }
      }
      guard let userInput, let documentText, !userInput.isEmpty else {
        throw element.error("a text replacement needs `userInput`, not empty, and `documentText`")
      }
      found.append(TextReplacement(userInput: userInput, documentText: documentText))
    }
    return found
  }
}
