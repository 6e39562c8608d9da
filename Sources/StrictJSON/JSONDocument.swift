/// A JSON text (RFC 8259) that was read whole and found right.
///
/// Reading is strict: one value and nothing after it, UTF-8 without a byte order mark, no
/// duplicate keys, no lone surrogates, no comments, bounds on size and depth. The text is kept
/// as it came beside a flat table of its values, so that reading a message costs two
/// allocations and every value knows its place.
public struct JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]

  /// - Throws: ``JSONError`` with the place of the first fault.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .document) throws(JSONError) {
    guard bytes.count <= limits.maximumBytes else {
      throw JSONError(
        "the text has \(bytes.count) bytes, \(limits.maximumBytes) are allowed",
        at: limits.maximumBytes, in: bytes)
    }
    var parser = JSONParser(bytes: bytes, maximumDepth: limits.maximumDepth)
    try parser.parseText()
    self.bytes = bytes
    self.nodes = parser.nodes
  }

  /// - Throws: ``JSONError`` with the place of the first fault.
  public init(parsing text: String, limits: JSONLimits = .document) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The one value of the text.
  public var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// One value, or one key, of a document.
struct JSONNode: Sendable {
  enum Kind: UInt8 { case null, `true`, `false`, number, plainString, escapedString, array, object }
  var kind: Kind
  /// The bytes of the value; of a string without its quotes.
  var start: Int32
  var end: Int32
  /// The index of the first node behind this value and all that is in it.
  var next: Int32
}
