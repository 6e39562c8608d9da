import AppProtocol
import PluginProtocol
import StrictJSON

/// Reads, writes and reads a line between an app and the host, as either side reads it.
func checkAppMessage(_ bytes: [UInt8]) throws(FuzzFinding) {
  do {
    let message = try AppMessage.decode(bytes)
    let line = try oneLine(message.encoded())
    // A line can be longer when written: what JSON must escape may have come as it is.
    if line.count <= AppProtocolLimits.appLineBytes {
      let again = try mustNotThrow("an app's written message is not read") {
        () throws(ProtocolError) in try AppMessage.decode(line)
      }
      try demand(
        again.encoded().dropLast().elementsEqual(line), "an app's message changes when written")
    }
  } catch let error as ProtocolError {
    try check(error)
    if (try? JSONDocument(parsing: bytes, limits: .protocolLine)) != nil {
      try demand(error.excerpt.isEmpty, "an excerpt could hold the text of a field")
    }
  } catch { throw error as? FuzzFinding ?? FuzzFinding("\(error)") }
  do {
    guard let message = try ServerMessage.decode(bytes) else { return }
    let line = try oneLine(message.encoded())
    try demand(
      line.count <= AppProtocolLimits.hostLineBytes, "a message of the host is longer than a line")
    let again = try mustNotThrow("the host's written message is not read") {
      () throws(ProtocolError) in try ServerMessage.decode(line)
    }
    try demand(
      again?.encoded().dropLast().elementsEqual(line) == true,
      "the host's message changes when written")
  } catch let error as ProtocolError {
    try check(error)
  } catch { throw error as? FuzzFinding ?? FuzzFinding("\(error)") }
}
