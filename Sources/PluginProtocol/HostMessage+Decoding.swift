import StrictJSON
import TextInput

extension HostMessage {
  /// Reads a line of the host, without its line feed.
  public static func decode(_ line: [UInt8]) throws(ProtocolError) -> HostMessage {
    let root = try ProtocolError.parse(line)
    do throws(JSONError) {
      try root.checkVersion()
      guard let method = root["method"] else { return try reply(root) }
      return try call(root, try method.needString("method", bytes: ProtocolLimits.nameBytes))
    } catch { throw ProtocolError(error) }
  }

  private static func call(_ root: JSONValue, _ method: String) throws(JSONError) -> HostMessage {
    switch method {
    case "initialize":
      let request = try InitializeRequest(decoding: try root.need("params"))
      return .initialize(id: try root.identifier(), request)
    case "focus": return .focus(try FieldState(decoding: try root.need("params")))
    case "change":
      let params = try root.need("params")
      return .change(
        try FieldState(decoding: params),
        cause: try params.need("cause").needCase("cause", of: ChangeCause.self),
        textChanged: try params.need("textChanged").needBoolean("textChanged"),
        selectionChanged: try params.need("selectionChanged").needBoolean("selectionChanged"))
    case "event":
      let params = try root.need("params")
      return .event(
        id: try root.identifier(), try FieldState(decoding: params),
        try InputEvent(decoding: try params.need("event")))
    case "settings":
      return .settings(try [Setting](decoding: try root.need("params").need("settings")))
    case "environment":
      return .environment(try LayoutEnvironment(decoding: try root.need("params")))
    case "blur": return .blur
    case "exit": return .exit
    case "shutdown": return .shutdown(id: try root.identifier())
    default:
      return .unrecognized(id: root["id"] == nil ? nil : try root.identifier(), method: method)
    }
  }

  private static func reply(_ root: JSONValue) throws(JSONError) -> HostMessage {
    if let failure = root["error"] {
      let id = try root.need("id")
      let (code, message) = try failure.failure()
      return .failure(
        id: id.isNull ? nil : try root.identifier(), code: code, message: message)
    }
    guard let result = root["result"] else {
      throw root.error("a message needs one of \"method\", \"result\" and \"error\"")
    }
    if let list = result["entries"] {
      var entries: [LexiconEntry] = []
      for entry in try list.needElements("entries", atMost: ProtocolLimits.lineBytes) {
        let limit = ProtocolLimits.lineBytes
        entries.append(
          LexiconEntry(
            userInput: try entry.need("userInput").needString("userInput", bytes: limit),
            documentText: try entry.need("documentText").needString("documentText", bytes: limit)))
      }
      return .lexiconReply(id: try root.identifier(), entries)
    }
    if result["contacts"] != nil {
      return .contactsReply(id: try root.identifier(), try ContactsPage(decoding: result))
    }
    if let location = result["location"] {
      return .locationReply(id: try root.identifier(), try Location(decoding: location))
    }
    let applied = try result.need("applied").needBoolean("applied")
    var state: FieldState?
    if let field = result["field"] { state = try FieldState(decoding: field) }
    return .transactionReply(id: try root.identifier(), applied: applied, state)
  }
}

extension ProtocolError {
  package static func parse(_ line: [UInt8]) throws(ProtocolError) -> JSONValue {
    do {
      return try JSONDocument(parsing: line, limits: .protocolLine).root
    } catch { throw ProtocolError(error, in: line) }
  }
}

extension JSONValue {
  package func failure() throws(JSONError) -> (code: Int, message: String) {
    try needObject("error")
    let code = try need("code").needInteger("code", in: Int64(Int32.min)...Int64(Int32.max))
    let message = try need("message").needString("message", bytes: ProtocolLimits.lineBytes)
    return (Int(code), message.clipped(to: ProtocolLimits.errorBytes))
  }
}
