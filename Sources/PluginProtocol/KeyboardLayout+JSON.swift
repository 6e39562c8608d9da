import StrictJSON
import TextInput

extension KeyboardLayout {
  /// Reads a layout of a keyboard, within the bounds of a layout.
  public init(decoding value: JSONValue) throws(JSONError) {
    try self.init(decoding: value, isHosts: false)
  }

  /// - Parameter isHosts: whether it comes from the host, which has keys of its own.
  package init(decoding value: JSONValue, isHosts: Bool) throws(JSONError) {
    try value.needObject("layout")
    var rows: [[Key]] = []
    let list = try value.need("rows").needElements("rows", atMost: Self.maximumRows)
    rows.reserveCapacity(list.count)
    for row in list {
      var keys: [Key] = []
      let cells = try row.needElements("rows", atMost: Self.maximumKeysInRow)
      keys.reserveCapacity(cells.count)
      for cell in cells { keys.append(try Key(decoding: cell, isHosts: isHosts)) }
      rows.append(keys)
    }
    self.init(rows: rows)
    do { try validate() } catch { throw value.error(error.message) }
  }

  /// Writes the layout as it is read.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("rows")
    writer.beginArray()
    for row in rows {
      writer.beginArray()
      for key in row { key.encode(into: &writer) }
      writer.endArray()
    }
    writer.endArray()
    writer.endObject()
  }
}

extension Key {
  init(decoding value: JSONValue, isHosts: Bool) throws(JSONError) {
    let limit = KeyboardLayout.maximumTextBytes
    guard value.kind == .object else { throw value.error("a key is an object") }
    let id = try value.need("id").needString("id", bytes: limit)
    if !isHosts, id.hasPrefix(KeyboardLayout.systemPrefix) {
      throw value.error("\"id\" begins with \"system.\", which is kept for the host's own keys")
    }
    self.init(id: id, label: try value.need("label").needString("label", bytes: limit))
    if let role = value["role"] { self.role = try role.needCase("role", of: KeyRole.self) }
    if let text = value["insertText"] {
      insertText = try text.needString("insertText", bytes: limit)
    }
    if let hint = value["longPress"] { longPress = try hint.needString("longPress", bytes: limit) }
    if let width = value["width"] {
      guard let number = width.double else { throw width.error("\"width\" must be a number") }
      self.width = number
    }
  }

  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("label", label)
    if role != .character { writer.member("role", role.rawValue) }
    writer.member("insertText", ifPresent: insertText)
    if width != 1 { writer.member("width", width) }
    writer.member("longPress", ifPresent: longPress)
    writer.endObject()
  }
}
