/// Little-endian numbers and counted strings, as plan and status messages are made of.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func put(_ value: UInt8) { bytes.append(value) }

  mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func put(_ value: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  mutating func put(_ value: UInt64) {
    put(UInt32(truncatingIfNeeded: value))
    put(UInt32(truncatingIfNeeded: value >> 32))
  }

  mutating func putCount(_ count: Int) throws(LaunchPlanError) {
    guard count <= Int(LaunchPlan.maximumEntries) else {
      throw LaunchPlanError(message: "a list has too many entries", offset: bytes.count)
    }
    put(UInt32(count))
  }

  mutating func put(_ value: String) throws(LaunchPlanError) {
    let text = Array(value.utf8)
    guard text.count <= Int(LaunchPlan.maximumString), !text.contains(0) else {
      throw LaunchPlanError(
        message: "a string is longer than \(LaunchPlan.maximumString) bytes or holds a NUL",
        offset: bytes.count)
    }
    put(UInt32(text.count))
    bytes += text
  }

  mutating func put(_ values: [String]) throws(LaunchPlanError) {
    try putCount(values.count)
    for value in values { try put(value) }
  }

  mutating func put(_ layers: Set<SandboxLayer>) {
    var mask: UInt32 = 0
    for (index, layer) in SandboxLayer.allCases.enumerated() where layers.contains(layer) {
      mask |= 1 << UInt32(index)
    }
    put(mask)
  }

  mutating func replace(at offset: Int, with value: UInt32) {
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(index * 8))
    }
  }
}

/// Reads what `ByteWriter` wrote; every read is bounded by what is there.
struct ByteReader {
  private let source: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { source = bytes }

  var isAtEnd: Bool { offset == source.count }

  func error(_ message: String) -> LaunchPlanError {
    LaunchPlanError(message: message, offset: offset)
  }

  mutating func bytes(_ count: Int) throws(LaunchPlanError) -> [UInt8] {
    guard count <= source.count - offset else { throw error("the bytes end too early") }
    defer { offset += count }
    return Array(source[offset..<(offset + count)])
  }

  mutating func uint8() throws(LaunchPlanError) -> UInt8 {
    guard offset < source.count else { throw error("the bytes end too early") }
    defer { offset += 1 }
    return source[offset]
  }

  mutating func bool() throws(LaunchPlanError) -> Bool {
    switch try uint8() {
    case 0: false
    case 1: true
    default: throw error("neither yes nor no")
    }
  }

  mutating func uint32() throws(LaunchPlanError) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(try uint8()) << UInt32(index * 8) }
    return value
  }

  mutating func uint64() throws(LaunchPlanError) -> UInt64 {
    let low = try uint32()
    return UInt64(low) | UInt64(try uint32()) << 32
  }

  mutating func count() throws(LaunchPlanError) -> Int {
    let value = try uint32()
    guard value <= LaunchPlan.maximumEntries else { throw error("a list is too long") }
    return Int(value)
  }

  mutating func string() throws(LaunchPlanError) -> String {
    let length = try uint32()
    guard length <= LaunchPlan.maximumString else { throw error("a string is too long") }
    let text = try bytes(Int(length))
    guard !text.contains(0), let value = String(validating: text, as: UTF8.self) else {
      throw error("a string is not UTF-8 or holds a NUL")
    }
    return value
  }

  mutating func strings() throws(LaunchPlanError) -> [String] {
    var result: [String] = []
    for _ in 0..<(try count()) { result.append(try string()) }
    return result
  }

  mutating func layers() throws(LaunchPlanError) -> Set<SandboxLayer> {
    let mask = try uint32()
    let all = SandboxLayer.allCases
    guard mask >> UInt32(all.count) == 0 else { throw error("a layer nobody knows") }
    return Set(all.indices.filter { mask & (1 << UInt32($0)) != 0 }.map { all[$0] })
  }
}
