/// What a keyboard wrote to its standard output and error: a bounded tail, counted. It may hold
/// what the person typed, so it goes to no log; it is shown only on request, and escaped.
struct CapturedOutput {
  static let limit = 8_192

  private(set) var total = 0
  private var kept: [UInt8] = []

  mutating func append(_ bytes: [UInt8]) {
    total += bytes.count
    kept.append(contentsOf: bytes.suffix(Self.limit))
    if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
  }

  /// The last bytes, at most ``limit``.
  var tail: [UInt8] { Array(kept.suffix(Self.limit)) }
}
