/// Cuts a stream of bytes into lines, within bounds.
///
/// A line ends with a line feed. Carriage returns, blank lines and byte order marks are errors, and
/// so is a line longer than the limit, which is found before the line ends. After an error the
/// framer gives nothing but that error and keeps no bytes.
public struct LineFramer: Sendable {
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the line that is not given out yet begins.
  private var start = 0
  /// Up to where no line feed was found.
  private var scanned = 0
  private var failure: ProtocolError?

  /// Makes a framer for lines of at most `limit` bytes, the line feed not counted.
  public init(limit: Int = ProtocolLimits.lineBytes) { self.limit = limit }

  /// Whether the stream would end inside a line if it ended now.
  public var hasPartialLine: Bool { start < buffer.count }

  /// Adds bytes as they came from the stream.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard makeRoom() else { return }
    buffer.append(contentsOf: bytes)
  }

  /// Adds bytes as they came from the stream.
  public mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

  /// Adds bytes as they came from the stream.
  public mutating func append(_ bytes: Span<UInt8>) {
    guard makeRoom() else { return }
    unsafe bytes.withUnsafeBufferPointer { pointer in
      unsafe buffer.append(contentsOf: pointer)
    }
  }

  /// Whether bytes may be added: not when the line that is being received is too long already.
  private mutating func makeRoom() -> Bool {
    if failure != nil { return false }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * limit)
      start = 0
      scanned = 0
    } else if start > limit {
      buffer.removeSubrange(..<start)
      scanned -= start
      start = 0
    }
    return true
  }

  /// The next line without its line feed, or nil when none is complete.
  /// - Throws: ``ProtocolError`` for the first line that is not allowed, and ever after.
  public mutating func next() throws(ProtocolError) -> [UInt8]? {
    if let failure { throw failure }
    var position = scanned
    let end = buffer.count
    while position < end {
      let byte = buffer[position]
      if byte == 0x0A { break }
      if byte == 0x0D {
        throw fail("a carriage return stands in a line; lines end with a line feed alone")
      }
      position += 1
    }
    guard position - start <= limit else {
      throw fail("a line has more than \(limit) bytes")
    }
    scanned = position
    guard position < end else { return nil }
    let line = buffer[start..<position]
    if line.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw fail("a byte order mark stands before a line")
    }
    if line.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true,
      line.allSatisfy({ $0 == 0x20 || $0 == 0x09 })
    {
      throw fail("a line is blank")
    }
    let result = [UInt8](line)
    start = position + 1
    scanned = start
    return result
  }

  private mutating func fail(_ message: String) -> ProtocolError {
    let error = ProtocolError(
      message: message, excerpt: ProtocolError.excerpt(of: buffer[start...]))
    failure = error
    buffer = []
    start = 0
    scanned = 0
    return error
  }
}
