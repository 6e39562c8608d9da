import StrictJSON
import TextInput

extension HostMessage {
  /// The message as one line with its line feed: never longer than the limit, as every part of it
  /// is cut to its bound.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 1024)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    switch self {
    case .initialize(let id, let request):
      writer.call("initialize", id)
      request.encode(into: &writer)
    case .focus(let state):
      writer.call("focus", nil)
      writer.beginObject()
      state.encodeMembers(into: &writer)
      writer.endObject()
    case .change(let state, let cause, let textChanged, let selectionChanged):
      writer.call("change", nil)
      writer.beginObject()
      state.encodeMembers(into: &writer)
      writer.member("cause", cause.rawValue)
      writer.member("textChanged", textChanged)
      writer.member("selectionChanged", selectionChanged)
      writer.endObject()
    case .event(let id, let state, let event):
      writer.call("event", id)
      writer.beginObject()
      state.encodeMembers(into: &writer)
      writer.key("event")
      event.encode(into: &writer)
      writer.endObject()
    case .settings(let settings):
      writer.call("settings", nil)
      writer.beginObject()
      writer.key("settings")
      settings.encode(into: &writer)
      writer.endObject()
    case .environment(let environment):
      writer.call("environment", nil)
      environment.encode(into: &writer)
    case .blur: writer.member("method", "blur")
    case .exit: writer.member("method", "exit")
    case .shutdown(let id):
      writer.member("id", id)
      writer.member("method", "shutdown")
    case .unrecognized(let id, let method):
      if let id { writer.member("id", id) }
      writer.member("method", method.clipped(to: ProtocolLimits.nameBytes))
    case .transactionReply, .lexiconReply, .contactsReply, .locationReply, .failure:
      encodeReply(into: &writer)
    }
    writer.endObject()
    var line = writer.bytes
    line.append(0x0A)
    return line
  }

  private func encodeReply(into writer: inout JSONWriter) {
    switch self {
    case .transactionReply(let id, let applied, let state):
      writer.member("id", id)
      writer.key("result")
      writer.beginObject()
      writer.member("applied", applied)
      if let state {
        writer.key("field")
        writer.beginObject()
        state.encodeMembers(into: &writer)
        writer.endObject()
      }
      writer.endObject()
    case .lexiconReply(let id, let entries):
      writer.member("id", id)
      writer.key("result")
      writer.beginObject()
      writer.key("entries")
      entries.encode(into: &writer)
      writer.endObject()
    case .contactsReply(let id, let page):
      writer.member("id", id)
      writer.key("result")
      writer.beginObject()
      page.encodeMembers(into: &writer)
      writer.endObject()
    case .locationReply(let id, let location):
      writer.member("id", id)
      writer.key("result")
      writer.beginObject()
      writer.key("location")
      location.encode(into: &writer)
      writer.endObject()
    case .failure(let id, let code, let message):
      writer.failure(id: id, code: code, message: message)
    default: break
    }
  }
}

extension JSONWriter {
  fileprivate mutating func call(_ method: String, _ id: Int64?) {
    if let id { member("id", id) }
    member("method", method)
    key("params")
  }

  package mutating func failure(id: Int64?, code: Int, message: String) {
    key("id")
    if let id { value(id) } else { null() }
    key("error")
    beginObject()
    member("code", code)
    member("message", message.clipped(to: ProtocolLimits.errorBytes))
    endObject()
  }
}

extension [LexiconEntry] {
  /// Writes as many entries, in order, as have room.
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginArray()
    let limit = writer.bytes.count + ProtocolLimits.lexiconBytes
    for entry in self {
      var one = JSONWriter()
      one.value(entry.userInput)
      one.value(entry.documentText)
      if writer.bytes.count + one.bytes.count + 40 > limit { break }
      writer.beginObject()
      writer.member("userInput", entry.userInput)
      writer.member("documentText", entry.documentText)
      writer.endObject()
    }
    writer.endArray()
  }
}
