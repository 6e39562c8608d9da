import PluginProtocol
import StrictJSON
import TextInput

extension AppMessage {
  /// Reads a line of an app, without its line feed.
  public static func decode(_ line: [UInt8]) throws(ProtocolError) -> AppMessage {
    let root = try ProtocolError.parse(line)
    do throws(JSONError) {
      try root.checkVersion()
      guard let method = root["method"] else { return try answer(root) }
      guard root["result"] == nil, root["error"] == nil else {
        throw root.error("a request has neither \"result\" nor \"error\"")
      }
      let name = try method.needString("method", bytes: AppProtocolLimits.nameBytes)
      if name == "extensionPointAnswerChanged" {
        guard root["id"] == nil else { throw method.error("\"\(name)\" is a notification") }
        return .extensionPointAnswerChanged
      }
      let request = try AppRequest(name, method, root)
      return .request(id: try root.identifier(), request)
    } catch { throw ProtocolError(error) }
  }

  private static func answer(_ root: JSONValue) throws(JSONError) -> AppMessage {
    if let failure = root["error"] {
      guard root["result"] == nil else {
        throw root.error("a response has both \"result\" and \"error\"")
      }
      let (code, message) = try failure.failure()
      return .failure(id: try root.identifier(), code: code, message: message)
    }
    guard let result = root["result"] else {
      throw root.error("a message needs one of \"method\", \"result\" and \"error\"")
    }
    return .answer(id: try root.identifier(), result.boolean)
  }

  /// The message as one line with its line feed. A text can be longer than a line may; whoever
  /// makes the message keeps it within ``AppProtocolLimits``.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    switch self {
    case .request(let id, let request):
      writer.member("id", id)
      request.encodeMembers(into: &writer)
    case .answer(let id, let allows):
      writer.member("id", id)
      if let allows {
        writer.member("result", allows)
      } else {
        writer.key("result")
        writer.null()
      }
    case .failure(let id, let code, let message):
      writer.failure(id: id, code: code, message: message)
    case .extensionPointAnswerChanged: writer.member("method", "extensionPointAnswerChanged")
    }
    writer.endObject()
    return writer.bytes + [0x0A]
  }
}
