import StrictJSON
import TextInput

extension FieldState {
  init(decoding value: JSONValue) throws(JSONError) {
    self.init(
      documentIdentifier: try value.need("documentIdentifier").needString(
        "documentIdentifier", bytes: ProtocolLimits.nameBytes),
      revision: try value.revision(),
      context: try ContextWindow(decoding: try value.need("context")))
    if let value = value["traits"] { traits = try TextInputTraits(decoding: value) }
  }

  func encodeMembers(into writer: inout JSONWriter) {
    writer.member("documentIdentifier", documentIdentifier.clipped(to: ProtocolLimits.nameBytes))
    writer.member("revision", min(revision, UInt64(ProtocolLimits.maximumIdentifier)))
    writer.key("context")
    context.bounded.encode(into: &writer)
    if let traits {
      writer.key("traits")
      traits.encode(into: &writer)
    }
  }
}

extension ContextWindow {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    let limit = Self.maximumBytes
    self.init(
      beforeInput: try value.need("beforeInput").needString("beforeInput", bytes: limit),
      afterInput: try value.need("afterInput").needString("afterInput", bytes: limit),
      selectedText: try value["selectedText"]?.needString("selectedText", bytes: limit),
      markedText: try value["markedText"]?.needString("markedText", bytes: limit),
      isTruncatedBefore: try value["isTruncatedBefore"]?.needBoolean("isTruncatedBefore") ?? false,
      isTruncatedAfter: try value["isTruncatedAfter"]?.needBoolean("isTruncatedAfter") ?? false,
      isTruncatedSelection: try value["isTruncatedSelection"]?.needBoolean("isTruncatedSelection")
        ?? false)
  }

  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("beforeInput", beforeInput)
    writer.member("afterInput", afterInput)
    writer.member("selectedText", ifPresent: selectedText)
    writer.member("markedText", ifPresent: markedText)
    if isTruncatedBefore { writer.member("isTruncatedBefore", true) }
    if isTruncatedAfter { writer.member("isTruncatedAfter", true) }
    if isTruncatedSelection { writer.member("isTruncatedSelection", true) }
    writer.endObject()
  }
}

extension JSONValue {
  func revision() throws(JSONError) -> UInt64 {
    UInt64(
      try need("revision").needInteger("revision", in: 0...ProtocolLimits.maximumIdentifier))
  }
}
