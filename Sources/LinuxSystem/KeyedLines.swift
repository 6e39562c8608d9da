/// The `Key:	value` lines of a file such as /proc/PID/status, taken as bytes: the program chooses its
/// name, and a carriage return or a letter that joins its neighbours would hide a line's end among
/// characters.
public struct KeyedLines: Sendable {
  private let values: [[UInt8]: ArraySlice<UInt8>]

  public init(_ bytes: [UInt8]) {
    var values: [[UInt8]: ArraySlice<UInt8>] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      // The first of a name counts: the program's own name stands in the first line.
      let key = Array(line[..<colon])
      if values[key] == nil { values[key] = value }
    }
    self.values = values
  }

  /// A key's value without the blanks before it; bytes that are no UTF-8 become U+FFFD.
  public subscript(_ key: String) -> String? {
    values[Array(key.utf8)].map { String(decoding: $0, as: UTF8.self) }
  }
}
