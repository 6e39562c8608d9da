import StrictJSON
import TextInput

extension Transaction {
  /// Reads a keyboard's answer to an event, or the parameters of its `transaction`.
  public init(decoding value: JSONValue) throws(ProtocolError) {
    do throws(JSONError) {
      try self.init(reading: value)
    } catch { throw ProtocolError(error) }
  }

  init(reading value: JSONValue) throws(JSONError) {
    self.init()
    guard value.kind == .object else {
      throw value.error("a transaction is an object, not \(value.kind.article)")
    }
    if let list = value["edits"] {
      for element in try list.needElements("edits", atMost: ProtocolLimits.edits) {
        try read(edit: element)
      }
    }
    if let list = value["actions"] {
      for element in try list.needElements("actions", atMost: ProtocolLimits.actions) {
        actions.append(try element.needCase("actions", of: KeyboardAction.self))
      }
    }
    if let value = value["layout"] { layout = try KeyboardLayout(decoding: value) }
    if let list = value["suggestions"] { suggestions = try Self.suggestions(list) }
  }

  private mutating func read(edit value: JSONValue) throws(JSONError) {
    guard let members = value.members else {
      throw value.error("an edit is an object, not \(value.kind.article)")
    }
    var edit: TextEdit?
    var count = 1
    for (name, member) in members {
      let next: TextEdit
      switch name {
      case "insertText": next = .insertText(try member.needTypeable(name))
      case "deleteBackward":
        next = .deleteBackward
        count = Int(try member.needInteger(name, in: 1...Int64(ProtocolLimits.edits)))
      case "adjustTextPosition":
        let bound = ProtocolLimits.offset
        next = .adjustTextPosition(
          byCharacterOffset: Int(try member.needInteger(name, in: -bound...bound)))
      case "setMarkedText":
        let text = try member.needTypeable(name)
        next = .setMarkedText(text, selectedRange: try value.needRange("selectedRange"))
      case "unmarkText":
        guard try member.needBoolean(name) else {
          throw member.error("\"unmarkText\" must be true")
        }
        next = .unmarkText
      default: continue
      }
      guard edit == nil else {
        throw value.error("an edit does one thing; \"\(name)\" is a second")
      }
      edit = next
    }
    guard let edit else {
      throw value.error(
        "an edit has one of insertText, deleteBackward, adjustTextPosition, setMarkedText, "
          + "unmarkText")
    }
    guard edits.count + count <= ProtocolLimits.edits else {
      throw value.error("a transaction has more than \(ProtocolLimits.edits) edits")
    }
    edits.append(contentsOf: repeatElement(edit, count: count))
  }

  private static func suggestions(_ list: JSONValue) throws(JSONError) -> [String] {
    var result: [String] = []
    for element in try list.needElements("suggestions", atMost: ProtocolLimits.suggestions) {
      let text = try element.needString("suggestions", bytes: ProtocolLimits.suggestionBytes)
      if text.isEmpty { throw element.error("a suggestion is empty") }
      if text.unicodeScalars.contains(where: \.isControlOrFormatting) {
        throw element.error("a suggestion holds a control character")
      }
      if result.contains(text) { throw element.error("a suggestion stands there twice") }
      result.append(text)
    }
    return result
  }

  /// Writes the transaction as it is read; what it leaves as it is is left out.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    encodeMembers(into: &writer)
    writer.endObject()
  }

  func encodeMembers(into writer: inout JSONWriter) {
    if !edits.isEmpty {
      writer.key("edits")
      writer.beginArray()
      var index = 0
      while index < edits.count {
        var end = index + 1
        // Deletions in a row are one edit with a count.
        while edits[index] == .deleteBackward, end < edits.count, edits[end] == .deleteBackward {
          end += 1
        }
        edits[index].encode(into: &writer, count: end - index)
        index = end
      }
      writer.endArray()
    }
    if !actions.isEmpty {
      writer.key("actions")
      writer.beginArray()
      for action in actions { writer.value(action.rawValue) }
      writer.endArray()
    }
    if let layout {
      writer.key("layout")
      layout.encode(into: &writer)
    }
    if let suggestions {
      writer.key("suggestions")
      writer.beginArray()
      for text in suggestions { writer.value(text) }
      writer.endArray()
    }
  }
}

extension TextEdit {
  fileprivate func encode(into writer: inout JSONWriter, count: Int) {
    writer.beginObject()
    switch self {
    case .insertText(let text): writer.member("insertText", text)
    case .deleteBackward: writer.member("deleteBackward", count)
    case .adjustTextPosition(let offset): writer.member("adjustTextPosition", offset)
    case .setMarkedText(let text, let range):
      writer.member("setMarkedText", text)
      writer.key("selectedRange")
      writer.beginArray()
      writer.value(range.lowerBound)
      writer.value(range.upperBound)
      writer.endArray()
    case .unmarkText: writer.member("unmarkText", true)
    }
    writer.endObject()
  }
}

extension JSONValue {
  fileprivate func needTypeable(_ name: String) throws(JSONError) -> String {
    let text = try needString(name, bytes: ProtocolLimits.lineBytes)
    guard
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        || text.unicodeScalars.allSatisfy(\.isTypeable)
    else {
      throw error("\"\(name)\" holds a control character that is neither tab nor line break")
    }
    return text
  }

  fileprivate func needRange(_ name: String) throws(JSONError) -> Range<Int> {
    let value = try need(name)
    let ends = try value.needElements(name, atMost: 2)
    guard ends.count == 2 else { throw value.error("\"\(name)\" must have two elements") }
    let lower = try ends[0].needInteger(name, in: 0...ProtocolLimits.offset)
    let upper = try ends[1].needInteger(name, in: 0...ProtocolLimits.offset)
    guard lower <= upper else { throw value.error("\"\(name)\" ends before it begins") }
    return Int(lower)..<Int(upper)
  }
}
