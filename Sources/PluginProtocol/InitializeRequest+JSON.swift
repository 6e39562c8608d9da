import StrictJSON
import TextInput

extension InitializeRequest {
  init(decoding value: JSONValue) throws(JSONError) {
    let limit = ProtocolLimits.nameBytes
    var versions: [Int] = []
    let list = try value.need("protocolVersions")
    for element in try list.needElements("protocolVersions", atMost: 16) {
      versions.append(Int(try element.needInteger("protocolVersions", in: 1...Int64(Int32.max))))
    }
    self.init(
      protocolVersions: versions,
      hostVersion: try value.need("hostVersion").needString("hostVersion", bytes: limit),
      keyboardIdentifier: try value.need("keyboardIdentifier").needString(
        "keyboardIdentifier", bytes: limit),
      primaryLanguage: try value["primaryLanguage"]?.needString("primaryLanguage", bytes: limit),
      hasFullAccess: try value.need("hasFullAccess").needBoolean("hasFullAccess"),
      needsInputModeSwitchKey: try value.need("needsInputModeSwitchKey").needBoolean(
        "needsInputModeSwitchKey"),
      settings: try [Setting](decoding: try value.need("settings")),
      environment: try LayoutEnvironment(decoding: try value.need("environment")))
  }

  func encode(into writer: inout JSONWriter) {
    let limit = ProtocolLimits.nameBytes
    writer.beginObject()
    writer.key("protocolVersions")
    writer.beginArray()
    for version in protocolVersions.prefix(16) { writer.value(version) }
    writer.endArray()
    writer.member("hostVersion", hostVersion.clipped(to: limit))
    writer.member("keyboardIdentifier", keyboardIdentifier.clipped(to: limit))
    writer.member("primaryLanguage", ifPresent: primaryLanguage?.clipped(to: limit))
    writer.member("hasFullAccess", hasFullAccess)
    writer.member("needsInputModeSwitchKey", needsInputModeSwitchKey)
    writer.key("settings")
    settings.encode(into: &writer)
    writer.key("environment")
    environment.encode(into: &writer)
    writer.endObject()
  }
}

extension LayoutEnvironment {
  init(decoding value: JSONValue) throws(JSONError) {
    self.init(
      orientation: try value.need("orientation").needCase("orientation", of: Orientation.self),
      width: Int(try value.need("width").needInteger("width", in: 0...1_000_000)))
  }

  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("orientation", orientation.rawValue)
    writer.member("width", min(max(width, 0), 1_000_000))
    writer.endObject()
  }
}
