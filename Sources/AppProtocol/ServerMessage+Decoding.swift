import PluginProtocol
import StrictJSON
import TextInput

extension ServerMessage {
  /// Reads a line of the host, without its line feed.
  /// - Returns: nil for a notification that this version does not know, which is to be ignored.
  public static func decode(_ line: [UInt8]) throws(ProtocolError) -> ServerMessage? {
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: line, limits: AppProtocolLimits.hostLine).root
    } catch { throw ProtocolError(error, in: line) }
    do throws(JSONError) {
      try root.checkVersion()
      guard let method = root["method"] else { return try reply(root) }
      let params = try root.need("params")
      return try call(
        root, try method.needString("method", bytes: AppProtocolLimits.nameBytes), params)
    } catch { throw ProtocolError(error) }
  }

  private static func reply(_ root: JSONValue) throws(JSONError) -> ServerMessage {
    if let failure = root["error"] {
      let id = try root.need("id")
      let (code, message) = try failure.failure()
      return .failure(
        id: id.isNull ? nil : try root.identifier(), code: code, message: message)
    }
    return .reply(
      id: try root.identifier(), try ServerReply(decoding: try root.need("result")))
  }

  private static func call(
    _ root: JSONValue, _ method: String, _ params: JSONValue
  ) throws(JSONError) -> ServerMessage? {
    if let name = KeyboardNotification.Name(rawValue: method) {
      return .keyboard(
        KeyboardNotification(
          name, frameBegin: try Frame(decoding: try params.need("frameBegin")),
          frameEnd: try Frame(decoding: try params.need("frameEnd"))))
    }
    switch method {
    case "shouldAllowExtensionPointIdentifier":
      return .shouldAllowExtensionPoint(
        id: try root.identifier(),
        identifier: try params.need("identifier").needString(
          "identifier", bytes: AppProtocolLimits.nameBytes))
    case "textChanged": return .textChanged(try TextChange(decoding: params))
    case "presentation": return .presentation(try KeyboardPresentation(decoding: params))
    case "format":
      return .format(
        document: try params.document(),
        try params.need("format").needCase("format", of: RichTextCommand.self))
    case "inputClick": return .inputClick(document: try params.document())
    case "dismissed": return .dismissed(document: try params.document())
    case "resigned": return .resigned(document: try params.document())
    default: return nil
    }
  }
}

extension ServerReply {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    try value.needObject("result")
    self.init()
    if let version = value["protocolVersion"] {
      protocolVersion = Int(try version.needInteger("protocolVersion", in: 1...Int64(Int32.max)))
    }
    hostVersion = try value["hostVersion"]?.needString(
      "hostVersion", bytes: AppProtocolLimits.nameBytes)
    if value["revision"] != nil { revision = try value.revision("revision") }
    handled = try value["handled"]?.needBoolean("handled")
    if let list = value["keyboards"] {
      var found: [ListedChoice] = []
      for one in try list.needElements("keyboards", atMost: AppProtocolLimits.keyboards) {
        found.append(
          ListedChoice(
            identifier: try one.need("identifier").needString(
              "identifier", bytes: ProtocolLimits.nameBytes),
            displayName: try one.need("displayName").needString(
              "displayName", bytes: AppProtocolLimits.shownBytes),
            isSelected: try one.need("isSelected").needBoolean("isSelected"),
            mayServe: try one.need("mayServe").needBoolean("mayServe"),
            reasons: try one.need("reasons").reasons()))
      }
      keyboards = found
    }
  }
}

extension TextChange {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    self.init(
      document: try value.document(), baseRevision: try value.revision("baseRevision"),
      revision: try value.revision("revision"), range: try value.need("range").range("range"),
      text: try value.need("text").needString("text", bytes: AppProtocolLimits.hostLineBytes),
      selection: try value.need("selection").range("selection"),
      markedRange: try value["markedRange"]?.range("markedRange"),
      cause: try value.need("cause").needCase("cause", of: Cause.self))
  }
}

extension KeyboardPresentation {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    var suggestions: [String] = []
    let list = try value.need("suggestions")
    for text in try list.needElements("suggestions", atMost: ProtocolLimits.suggestions) {
      suggestions.append(
        try text.needString("suggestions", bytes: ProtocolLimits.suggestionBytes))
    }
    self.init(
      document: try value.document(),
      displayName: try value["displayName"]?.needString(
        "displayName", bytes: AppProtocolLimits.shownBytes),
      layout: try KeyboardLayout(decoding: try value.need("layout"), isHosts: true),
      suggestions: suggestions, reasons: try value.need("reasons").reasons())
    // A host may offer what this version does not know.
    let offered = try value.need("commands").needElements("commands", atMost: 16)
    commands = offered.compactMap { $0.string.flatMap(EditingCommand.Kind.init) }
    showsKeyPreview = try value["showsKeyPreview"]?.needBoolean("showsKeyPreview") ?? false
    prefersRightToLeft =
      try value["prefersRightToLeft"]?.needBoolean("prefersRightToLeft") ?? false
    keySpan = try value["keySpan"]?.range("keySpan")
    if let prompt = value["undoPrompt"] {
      undoPrompt = UndoQuestion(
        canUndo: try prompt.need("canUndo").needBoolean("canUndo"),
        canRedo: try prompt.need("canRedo").needBoolean("canRedo"))
    }
  }
}

extension Frame {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    let extent = -AppProtocolLimits.screenExtent * 4...AppProtocolLimits.screenExtent * 4
    self.init(
      x: Int(try value.need("x").needInteger("x", in: extent)),
      y: Int(try value.need("y").needInteger("y", in: extent)),
      width: Int(try value.need("width").needInteger("width", in: extent)),
      height: Int(try value.need("height").needInteger("height", in: extent)))
  }
}

extension JSONValue {
  fileprivate func reasons() throws(JSONError) -> [ShownReason] {
    var found: [ShownReason] = []
    for one in try needElements("reasons", atMost: ShownReason.maximum) {
      found.append(
        ShownReason(
          code: try one.need("code").needString("code", bytes: AppProtocolLimits.nameBytes),
          text: try one.need("text").needString("text", bytes: AppProtocolLimits.shownBytes)))
    }
    return found
  }
}
