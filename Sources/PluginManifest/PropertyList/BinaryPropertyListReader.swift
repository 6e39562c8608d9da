/// Reads the binary form, `bplist00`: a table of objects that refer to each other by number.
///
/// A hostile file may refer in circles or to one object from everywhere; the bounds on depth and
/// on the count of values end both. Every offset is checked before use.
struct BinaryPropertyListReader {
  let bytes: [UInt8]
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let offsets: [Int]

  private struct Budget {
    var values = 0
    /// Bytes of text and data, counted as often as they are referred to.
    var bytes = 0
  }

  init(bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    guard bytes.count >= 8 + 32, bytes.starts(with: Array("bplist00".utf8)) else {
      throw PropertyListError("it is a binary property list that is cut off, or not of version 00")
    }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw Self.damaged("a size in its trailer")
    }
    func field(_ offset: Int) throws(PropertyListError) -> Int {
      guard let value = Self.number(bytes[trailer + offset..<trailer + offset + 8]) else {
        throw Self.damaged("a number in its trailer")
      }
      return value
    }
    objectCount = try field(8)
    top = try field(16)
    let table = try field(24)
    guard objectCount > 0, top < objectCount, table >= 8, table <= trailer,
      objectCount <= (trailer - table) / offsetSize
    else { throw Self.damaged("its table of objects") }
    var offsets: [Int] = []
    offsets.reserveCapacity(objectCount)
    for index in 0..<objectCount {
      let start = table + index * offsetSize
      guard let offset = Self.number(bytes[start..<start + offsetSize]), offset >= 8,
        offset < table
      else { throw Self.damaged("the place of object \(index)") }
      offsets.append(offset)
    }
    self.offsets = offsets
  }

  func read() throws(PropertyListError) -> PropertyList {
    var budget = Budget()
    return try object(top, depth: 1, &budget)
  }

  private func object(
    _ index: Int, depth: Int, _ budget: inout Budget
  ) throws(PropertyListError) -> PropertyList {
    guard depth <= PropertyList.maximumDepth else {
      throw PropertyListError("it is nested deeper than \(PropertyList.maximumDepth) levels")
    }
    budget.values += 1
    guard budget.values <= PropertyList.maximumValues else {
      throw Self.tooManyValues
    }
    let value = try content(index, depth: depth, &budget)
    switch value {
    case .string(let text): budget.bytes += text.utf8.count
    case .data(let data): budget.bytes += data.count
    default: break
    }
    guard budget.bytes <= 4 * PropertyList.maximumBytes else {
      throw PropertyListError("it refers to its texts too often")
    }
    return value
  }

  private func content(
    _ index: Int, depth: Int, _ budget: inout Budget
  ) throws(PropertyListError) -> PropertyList {
    var cursor = offsets[index]
    let marker = bytes[cursor]
    cursor += 1
    let low = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0:
      guard low == 8 || low == 9 else { throw Self.damaged("object \(index), of unknown type") }
      return .boolean(low == 9)
    case 0x1: return .integer(try integer(power: low, &cursor, index))
    case 0x2: return .real(try real(power: low, &cursor, index))
    case 0x3 where low == 3: return .date(try real(power: 3, &cursor, index))
    case 0x4: return .data(Array(try take(try count(low, &cursor, index), &cursor, index)))
    case 0x5:
      let text = try take(try count(low, &cursor, index), &cursor, index)
      guard text.allSatisfy({ $0 < 0x80 }) else {
        throw Self.damaged("string \(index), which is not ASCII")
      }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x6: return .string(try utf16(low, &cursor, index))
    case 0xa:
      let count = try count(low, &cursor, index)
      var elements: [PropertyList] = []
      for reference in try references(count, &cursor, index, budget) {
        elements.append(try object(reference, depth: depth + 1, &budget))
      }
      return .array(elements)
    case 0xd:
      let count = try count(low, &cursor, index)
      let keys = try references(count, &cursor, index, budget)
      let values = try references(count, &cursor, index, budget)
      var entries: [PropertyList.Entry] = []
      var seen: Set<String> = []
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = try object(key, depth: depth + 1, &budget) else {
          throw Self.damaged("a key of dictionary \(index), which is not a string")
        }
        guard seen.insert(name).inserted else {
          throw PropertyListError("the key \(quoted(name)) stands twice in a dictionary")
        }
        let value = try object(value, depth: depth + 1, &budget)
        entries.append(PropertyList.Entry(key: name, value: value))
      }
      return .dictionary(entries)
    default: throw Self.damaged("object \(index), of unknown type")
    }
  }

  /// The count in a marker; 15 says that an integer with the count follows.
  private func count(
    _ low: Int, _ cursor: inout Int, _ index: Int
  ) throws(PropertyListError) -> Int {
    guard low == 15 else { return low }
    let marker = try take(1, &cursor, index)
    guard let first = marker.first, first >> 4 == 1, first & 0x0f <= 3 else {
      throw Self.damaged("the count of object \(index)")
    }
    let size = 1 << Int(first & 0x0f)
    guard let value = Self.number(try take(size, &cursor, index)), value <= bytes.count else {
      throw Self.damaged("the count of object \(index)")
    }
    return value
  }

  private func take(
    _ count: Int, _ cursor: inout Int, _ index: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - 32 - cursor else {
      throw Self.damaged("object \(index), which runs past the end")
    }
    defer { cursor += count }
    return bytes[cursor..<cursor + count]
  }

  private func references(
    _ count: Int, _ cursor: inout Int, _ index: Int, _ budget: Budget
  ) throws(PropertyListError) -> [Int] {
    // Each level of a nest could otherwise read a table as long as the file before the values are
    // found to be too many.
    guard count <= PropertyList.maximumValues - budget.values else { throw Self.tooManyValues }
    // The count is at most the file's size, and a reference at most 8 bytes: no overflow.
    let raw = try take(count * referenceSize, &cursor, index)
    var found: [Int] = []
    for start in stride(from: raw.startIndex, to: raw.endIndex, by: referenceSize) {
      guard let reference = Self.number(raw[start..<start + referenceSize]),
        reference < objectCount
      else { throw Self.damaged("a reference of object \(index)") }
      found.append(reference)
    }
    return found
  }

  private func integer(
    power: Int, _ cursor: inout Int, _ index: Int
  ) throws(PropertyListError) -> Int64 {
    guard power <= 4 else { throw Self.damaged("integer \(index)") }
    var raw = try take(1 << power, &cursor, index)
    if power == 4 {
      // 16 bytes hold what does not fit 8 with its sign: only the lower half may be in use.
      let fill: UInt8 = raw[raw.startIndex + 8] & 0x80 == 0 ? 0 : 0xff
      guard raw.prefix(8).allSatisfy({ $0 == fill }) else {
        throw PropertyListError("it holds an integer that does not fit 64 bits")
      }
      raw = raw.dropFirst(8)
    }
    // Only integers of 8 bytes have a sign in this form.
    return Int64(bitPattern: raw.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func real(
    power: Int, _ cursor: inout Int, _ index: Int
  ) throws(PropertyListError) -> Double {
    guard power == 2 || power == 3 else { throw Self.damaged("real number \(index)") }
    let bits = try take(1 << power, &cursor, index).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value =
      power == 2 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    guard value.isFinite else {
      throw PropertyListError("it holds a number that is not finite")
    }
    return value
  }

  private func utf16(
    _ low: Int, _ cursor: inout Int, _ index: Int
  ) throws(PropertyListError) -> String {
    let raw = try take(try count(low, &cursor, index) * 2, &cursor, index)
    let units = stride(from: raw.startIndex, to: raw.endIndex, by: 2).map {
      UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw Self.damaged("string \(index), which is not UTF-16")
    }
    return text
  }

  /// A big-endian number, or nil when it does not fit.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let significant = bytes.drop { $0 == 0 }
    guard significant.count <= 7 else { return nil }
    return significant.reduce(0) { $0 << 8 | Int($1) }
  }

  private static let tooManyValues = PropertyListError(
    "it holds more than \(PropertyList.maximumValues) values")

  private static func damaged(_ what: String) -> PropertyListError {
    PropertyListError("it is a damaged binary property list: the fault is in \(what)")
  }
}
