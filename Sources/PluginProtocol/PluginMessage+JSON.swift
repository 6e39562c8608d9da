import StrictJSON
import TextInput

extension PluginMessage {
  /// Reads a line of a keyboard, without its line feed.
  public static func decode(_ line: [UInt8]) throws(ProtocolError) -> PluginMessage {
    let root = try ProtocolError.parse(line)
    do throws(JSONError) {
      try root.checkVersion()
      return try read(root)
    } catch { throw ProtocolError(error) }
  }

  private static func read(_ root: JSONValue) throws(JSONError) -> PluginMessage {
    let result = root["result"]
    let failure = root["error"]
    guard let method = root["method"] else {
      if let result {
        guard failure == nil else {
          throw root.error("a response has both \"result\" and \"error\"")
        }
        return .response(id: try root.identifier(), result)
      }
      guard let failure else {
        throw root.error("a message needs one of \"method\", \"result\" and \"error\"")
      }
      let (code, message) = try failure.failure()
      return .errorResponse(id: try root.identifier(), code: code, message: message)
    }
    guard result == nil, failure == nil else {
      throw root.error("a request has neither \"result\" nor \"error\"")
    }
    if method.isString("transaction") {
      let id = try root.identifier()
      let params = try root.need("params")
      return .transaction(
        id: id,
        documentIdentifier: try params.need("documentIdentifier").needString(
          "documentIdentifier", bytes: ProtocolLimits.nameBytes),
        revision: try params.revision(), try Transaction(reading: params))
    }
    if method.isString("lexicon") { return .lexicon(id: try root.identifier()) }
    if method.isString("location/request") { return .location(id: try root.identifier()) }
    if method.isString("contacts/fetch") {
      let offset = try root["params"]?["offset"]?.needInteger("offset", in: 0...Int64(Int32.max))
      return .contacts(id: try root.identifier(), offset: Int(offset ?? 0))
    }
    _ = try method.needString("method", bytes: ProtocolLimits.nameBytes)
    throw method.error(
      "a keyboard's requests are \"transaction\", \"lexicon\", \"contacts/fetch\" and "
        + "\"location/request\"; this is neither")
  }

  /// The message as one line with its line feed. A transaction can hold more than a line may;
  /// whoever makes one keeps it within the bounds of ``ProtocolLimits``.
  public func encoded() -> [UInt8] {
    switch self {
    case .response(let id, let value):
      return Self.response(id: id) { writer in writer.value(copying: value) }
    case .errorResponse(let id, let code, let message):
      return Self.line { writer in writer.failure(id: id, code: code, message: message) }
    case .transaction(let id, let documentIdentifier, let revision, let transaction):
      return Self.line { writer in
        writer.member("id", id)
        writer.member("method", "transaction")
        writer.key("params")
        writer.beginObject()
        writer.member("documentIdentifier", documentIdentifier)
        writer.member("revision", revision)
        transaction.encodeMembers(into: &writer)
        writer.endObject()
      }
    case .lexicon(let id):
      return Self.line { writer in
        writer.member("id", id)
        writer.member("method", "lexicon")
      }
    case .contacts(let id, let offset):
      return Self.line { writer in
        writer.member("id", id)
        writer.member("method", "contacts/fetch")
        writer.key("params")
        writer.beginObject()
        writer.member("offset", offset)
        writer.endObject()
      }
    case .location(let id):
      return Self.line { writer in
        writer.member("id", id)
        writer.member("method", "location/request")
      }
    }
  }

  /// The line that answers a request of the host, with its line feed.
  public static func response(id: Int64, result: (inout JSONWriter) -> Void) -> [UInt8] {
    line { writer in
      writer.member("id", id)
      writer.key("result")
      result(&writer)
    }
  }

  private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 512)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    members(&writer)
    writer.endObject()
    var line = writer.bytes
    line.append(0x0A)
    return line
  }
}
