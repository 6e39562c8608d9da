import StrictJSON
import TextInput

extension InitializeResult {
  /// Reads a keyboard's answer to `initialize`.
  public init(decoding value: JSONValue) throws(ProtocolError) {
    do throws(JSONError) {
      guard value.kind == .object else {
        throw value.error("the result of initialize is an object, not \(value.kind.article)")
      }
      let version = try value.need("protocolVersion").needInteger("protocolVersion", in: 1...1)
      self.init(
        protocolVersion: Int(version),
        takesHardwareKeys: try value["takesHardwareKeys"]?.needBoolean("takesHardwareKeys")
          ?? false,
        layout: try KeyboardLayout(decoding: try value.need("layout")))
    } catch { throw ProtocolError(error) }
  }

  /// Writes the answer as it is read.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocolVersion", protocolVersion)
    writer.member("takesHardwareKeys", takesHardwareKeys)
    writer.key("layout")
    layout.encode(into: &writer)
    writer.endObject()
  }
}
