import StrictJSON

extension SettingValue {
  package init(decoding value: JSONValue) throws(JSONError) {
    switch value.kind {
    case .string: self = .string(value.string ?? "")
    case .bool: self = .bool(value.boolean ?? false)
    case .number:
      if let number = value.int64 {
        self = .integer(number)
      } else if let number = value.double {
        self = .real(number)
      } else {
        throw value.error("a setting is a number that does not fit")
      }
    case .array:
      var list: [String] = []
      for element in value.elements ?? [] {
        guard let text = element.string else {
          throw element.error("a setting's list holds strings, not \(element.kind.article)")
        }
        list.append(text)
      }
      self = .list(list)
    case .null, .object:
      throw value.error("a setting is a string, a boolean, a number or a list of strings")
    }
  }

  package func encode(into writer: inout JSONWriter) {
    switch self {
    case .string(let text): writer.value(text)
    case .bool(let flag): writer.value(flag)
    case .integer(let number): writer.value(number)
    case .real(let number): writer.value(number.isFinite ? number : 0)
    case .list(let list):
      writer.beginArray()
      for text in list { writer.value(text) }
      writer.endArray()
    }
  }
}

extension [Setting] {
  init(decoding value: JSONValue) throws(JSONError) {
    try value.needObject("settings")
    self = []
    for (key, member) in value.members ?? [] {
      append(Setting(key, try SettingValue(decoding: member)))
    }
  }

  /// Whether all of them have room in one message.
  package var fitIntoMessage: Bool {
    var room = ProtocolLimits.settingsBytes
    for setting in self { room -= setting.encodedSize }
    return room >= 0
  }

  /// Writes as many settings, in order, as have room; a second one of a key is left out.
  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    var room = ProtocolLimits.settingsBytes
    var keys: Set<String> = []
    for setting in self where keys.insert(setting.key).inserted {
      room -= setting.encodedSize
      if room < 0 { break }
      writer.key(setting.key)
      setting.value.encode(into: &writer)
    }
    writer.endObject()
  }
}

extension Setting {
  /// Its bytes in a message.
  fileprivate var encodedSize: Int {
    var one = JSONWriter()
    one.value(key)
    value.encode(into: &one)
    return one.bytes.count + 2
  }
}
