import PluginProtocol
import StrictJSON
import TerminalText
import TextInput

/// Lines come out the same however the stream was cut, and as a simple splitter has them.
func checkLines(_ bytes: [UInt8]) throws(FuzzFinding) {
  guard bytes.count >= 2 else { return }
  // Small limits, so that short inputs reach them.
  let limit = 1 + Int(bytes[0] % 48)
  let stream = Array(bytes[2...])
  let whole = read([stream], limit: limit)
  let cut = read(stream.pieces(seed: bytes[1]), limit: limit)
  try demand(whole.lines == cut.lines, "the lines depend on how the stream was cut")
  try demand(
    (whole.error == nil) == (cut.error == nil), "an error depends on how the stream was cut")
  try demand(whole.isPartial == cut.isPartial, "the rest depends on how the stream was cut")
  let expected = splitSimply(stream, limit: limit)
  try demand(whole.lines == expected.lines, "the lines are not those of the stream")
  try demand((whole.error != nil) == expected.isFaulty, "a fault of the stream was not seen")
  for error in [whole.error, cut.error].compactMap(\.self) { try check(error) }
}

private func read(
  _ pieces: [[UInt8]], limit: Int
) -> (lines: [[UInt8]], error: ProtocolError?, isPartial: Bool) {
  var framer = LineFramer(limit: limit)
  var lines: [[UInt8]] = []
  do throws(ProtocolError) {
    for piece in pieces {
      framer.append(piece)
      while let line = try framer.next() { lines.append(line) }
    }
    return (lines, nil, framer.hasPartialLine)
  } catch {
    // For ever after, whatever comes.
    framer.append(Array("{}\n".utf8))
    if (try? framer.next()) != nil { lines.append([]) }
    return (lines, error, false)
  }
}

/// The rules of the protocol's lines in their shortest form.
private func splitSimply(
  _ stream: [UInt8], limit: Int
) -> (lines: [[UInt8]], isFaulty: Bool) {
  var parts = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  let rest = parts.removeLast()
  var lines: [[UInt8]] = []
  for line in parts {
    let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    if isBlank || line.count > limit || line.contains(0x0D)
      || line.starts(with: [0xEF, 0xBB, 0xBF])
    {
      return (lines, true)
    }
    lines.append(line)
  }
  return (lines, rest.count > limit || rest.contains(0x0D))
}

func check(_ error: ProtocolError) throws(FuzzFinding) {
  try demand(error.excerpt.utf8.count <= 64, "an excerpt is too long")
  try demand(error.excerpt.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "an excerpt is raw")
  try demand(VisibleText.isSafe(error.message), "a message of an error cannot be shown")
}

/// Reads, writes and reads a keyboard's line; its answers are applied whole or not at all.
func checkPluginMessage(_ bytes: [UInt8]) throws(FuzzFinding) {
  let message: PluginMessage
  do {
    message = try PluginMessage.decode(bytes)
  } catch {
    try check(error)
    if (try? JSONDocument(parsing: bytes, limits: .protocolLine)) != nil {
      try demand(error.excerpt.isEmpty, "an excerpt could hold the text of a field")
    }
    return
  }
  let line = try oneLine(message.encoded())
  if line.count <= ProtocolLimits.lineBytes {
    let again = try mustNotThrow("a written message is not read") { () throws(ProtocolError) in
      try PluginMessage.decode(line)
    }
    try demand(again.encoded().dropLast().elementsEqual(line), "a message changes when written")
  }
  switch message {
  case .response(_, let value): try checkAnswer(value)
  case .transaction(_, _, _, let transaction): try checkApplying(transaction)
  case .errorResponse, .lexicon, .contacts, .location: break
  }
}

/// The bytes of a message without its line feed, which must be its only one.
func oneLine(_ encoded: [UInt8]) throws(FuzzFinding) -> [UInt8] {
  try demand(encoded.last == 0x0A, "a message does not end its line")
  let line = Array(encoded.dropLast())
  try demand(!line.contains { $0 < 0x20 }, "a message holds a raw control character")
  return line
}

private func checkAnswer(_ value: JSONValue) throws(FuzzFinding) {
  if let result = try? InitializeResult(decoding: value) {
    let text = WrittenJSON { result.encode(into: &$0) }
    let again = text.root.flatMap { try? InitializeResult(decoding: $0) }
    try demand(again == result, "an answer to initialize changes when written")
  }
  let transaction: Transaction
  do { transaction = try Transaction(decoding: value) } catch {
    try check(error)
    return
  }
  let text = WrittenJSON { transaction.encode(into: &$0) }
  guard let root = text.root else { throw FuzzFinding("a written transaction is no JSON") }
  let again = try mustNotThrow("a written transaction is not read") { () throws(ProtocolError) in
    try Transaction(decoding: root)
  }
  try demand(again == transaction, "a transaction changes when written")
  try checkApplying(transaction)
}

/// JSON that was written, read again.
struct WrittenJSON {
  let root: JSONValue?

  init(_ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    body(&writer)
    root = try? JSONDocument(parsing: writer.bytes).root
  }
}

/// Edits of a keyboard are applied whole or not at all.
func checkApplying(_ transaction: Transaction) throws(FuzzFinding) {
  var document = TextDocument("A\u{301}b\u{1F1E9}\u{1F1EA} c\r\n")
  document.select(2..<3)
  let before = document
  do throws(TextEditError) {
    try document.apply(transaction.edits)
  } catch {
    try demand(document == before, "edits that were refused changed the document")
  }
  try check(document, after: before)
}

/// Reads, writes and reads a host's line.
func checkHostMessage(_ bytes: [UInt8]) throws(FuzzFinding) {
  let message: HostMessage
  do { message = try HostMessage.decode(bytes) } catch {
    try check(error)
    return
  }
  let line = try oneLine(message.encoded())
  try demand(line.count <= ProtocolLimits.lineBytes, "a message is longer than a line may be")
  let again = try mustNotThrow("a written message is not read") { () throws(ProtocolError) in
    try HostMessage.decode(line)
  }
  try demand(again.encoded().dropLast().elementsEqual(line), "a message changes when written")
}
