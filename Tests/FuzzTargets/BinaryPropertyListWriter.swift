import PluginManifest

/// Writes the binary form, with an object for every value and references of four bytes.
struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []

  /// - Returns: the number of the value's object.
  @discardableResult
  mutating func write(_ value: PropertyList) -> Int {
    let number = objects.count
    objects.append([])
    switch value {
    case .boolean(let flag): objects[number] = [flag ? 9 : 8]
    case .integer(let integer):
      objects[number] = [0x13] + Self.number(UInt64(bitPattern: integer), size: 8)
    case .real(let real): objects[number] = [0x23] + Self.number(real.bitPattern, size: 8)
    case .date(let date): objects[number] = [0x33] + Self.number(date.bitPattern, size: 8)
    case .data(let data): objects[number] = Self.marker(4, data.count) + data
    case .string(let text):
      let units = Array(text.utf16)
      objects[number] =
        Self.marker(6, units.count) + units.flatMap { Self.number(UInt64($0), size: 2) }
    case .array(let elements):
      var references: [UInt8] = []
      for element in elements { references += Self.number(UInt64(write(element)), size: 4) }
      objects[number] = Self.marker(0xa, elements.count) + references
    case .dictionary(let entries):
      var keys: [UInt8] = []
      var values: [UInt8] = []
      for entry in entries {
        keys += Self.number(UInt64(write(.string(entry.key))), size: 4)
        values += Self.number(UInt64(write(entry.value)), size: 4)
      }
      objects[number] = Self.marker(0xd, entries.count) + keys + values
    }
    return number
  }

  func document() -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += Self.number(UInt64(bytes.count), size: 4)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
    bytes += Self.number(UInt64(objects.count), size: 8) + Self.number(0, size: 8)
    return bytes + Self.number(UInt64(table), size: 8)
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15
      ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x13] + number(UInt64(count), size: 8)
  }

  private static func number(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }
}
