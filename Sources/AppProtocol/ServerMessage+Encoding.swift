import PluginProtocol
import StrictJSON
import TextInput

extension ServerMessage {
  /// The message as one line with its line feed: never longer than the limit.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    switch self {
    case .reply(let id, let reply):
      writer.member("id", id)
      writer.key("result")
      reply.encode(into: &writer)
    case .failure(let id, let code, let message):
      writer.failure(id: id, code: code, message: message)
    case .shouldAllowExtensionPoint(let id, let identifier):
      writer.member("id", id)
      writer.call("shouldAllowExtensionPointIdentifier") { $0.member("identifier", identifier) }
    case .textChanged(let change):
      writer.call("textChanged") { change.encodeMembers(into: &$0) }
    case .keyboard(let notification):
      writer.call(notification.name.rawValue) {
        $0.member("frameBegin", notification.frameBegin)
        $0.member("frameEnd", notification.frameEnd)
      }
    case .presentation(let presentation):
      writer.call("presentation") { presentation.encodeMembers(into: &$0) }
    case .format(let document, let command):
      writer.call("format") {
        $0.member("document", document)
        $0.member("format", command.rawValue)
      }
    case .inputClick(let document):
      writer.call("inputClick") { $0.member("document", document) }
    case .dismissed(let document):
      writer.call("dismissed") { $0.member("document", document) }
    case .resigned(let document):
      writer.call("resigned") { $0.member("document", document) }
    }
    writer.endObject()
    return writer.bytes + [0x0A]
  }
}

extension ServerReply {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    if let protocolVersion { writer.member("protocolVersion", protocolVersion) }
    writer.member("hostVersion", ifPresent: hostVersion)
    if let handled { writer.member("handled", handled) }
    if let revision { writer.member("revision", revision) }
    if let keyboards {
      writer.key("keyboards")
      writer.beginArray()
      for keyboard in keyboards.prefix(AppProtocolLimits.keyboards) {
        writer.beginObject()
        writer.member("identifier", keyboard.identifier)
        writer.member(
          "displayName", keyboard.displayName.clipped(to: AppProtocolLimits.shownBytes))
        writer.member("isSelected", keyboard.isSelected)
        writer.member("mayServe", keyboard.mayServe)
        writer.member("reasons", keyboard.reasons)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension TextChange {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.member("document", document)
    writer.member("baseRevision", baseRevision)
    writer.member("revision", revision)
    writer.member("range", range)
    writer.member("text", text)
    writer.member("selection", selection)
    if let markedRange { writer.member("markedRange", markedRange) }
    writer.member("cause", cause.rawValue)
  }
}

extension KeyboardPresentation {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.member("document", document)
    writer.member(
      "displayName", ifPresent: displayName?.clipped(to: AppProtocolLimits.shownBytes))
    writer.key("layout")
    layout.encode(into: &writer)
    writer.key("suggestions")
    writer.beginArray()
    for suggestion in suggestions.prefix(ProtocolLimits.suggestions) {
      writer.value(suggestion.clipped(to: ProtocolLimits.suggestionBytes))
    }
    writer.endArray()
    writer.member("reasons", reasons)
    writer.key("commands")
    writer.beginArray()
    for command in commands { writer.value(command.rawValue) }
    writer.endArray()
    if showsKeyPreview { writer.member("showsKeyPreview", true) }
    if prefersRightToLeft { writer.member("prefersRightToLeft", true) }
    if let keySpan { writer.member("keySpan", keySpan) }
    if let undoPrompt {
      writer.key("undoPrompt")
      writer.beginObject()
      writer.member("canUndo", undoPrompt.canUndo)
      writer.member("canRedo", undoPrompt.canRedo)
      writer.endObject()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func call(_ method: String, _ params: (inout JSONWriter) -> Void) {
    member("method", method)
    key("params")
    beginObject()
    params(&self)
    endObject()
  }

  fileprivate mutating func member(_ name: String, _ reasons: [ShownReason]) {
    key(name)
    beginArray()
    for reason in reasons.prefix(ShownReason.maximum) {
      beginObject()
      member("code", reason.code)
      member("text", reason.text.clipped(to: AppProtocolLimits.shownBytes))
      endObject()
    }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ frame: Frame) {
    key(name)
    beginObject()
    member("x", frame.x)
    member("y", frame.y)
    member("width", frame.width)
    member("height", frame.height)
    endObject()
  }
}

extension ShownReason {
  /// The most reasons in a message; more are left out.
  static let maximum = 8
}
