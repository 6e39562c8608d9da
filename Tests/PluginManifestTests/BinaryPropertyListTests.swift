import PluginManifest
import Testing

/// Builds a binary property list from its objects, right or wrong.
private func binary(_ objects: [[UInt8]], top: UInt8 = 0, count: Int? = nil) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var offsets: [UInt8] = []
  for object in objects {
    offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
    bytes += object
  }
  let table = bytes.count
  bytes += offsets
  bytes += [0, 0, 0, 0, 0, 0, 2, 1]
  func number(_ value: Int) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(value >> $0 & 255) }
  }
  return bytes + number(count ?? objects.count) + number(Int(top)) + number(table)
}

private func message(_ bytes: [UInt8]) -> String {
  do { return "read: \(try PropertyList(parsing: bytes))" } catch { return "\(error)" }
}

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  @Test("an array that holds itself is refused")
  func cycle() {
    #expect(message(binary([[0xa1, 0]])).contains("nested deeper than 32"))
    #expect(message(binary([[0xa1, 1], [0xa1, 0]])).contains("nested deeper than 32"))
  }

  @Test("a dictionary that holds itself, as a key or a value, is refused")
  func dictionaryCycle() {
    #expect(message(binary([[0xd1, 1, 0], [0x51, 0x61]])).contains("nested deeper than 32"))
    #expect(message(binary([[0xd1, 0, 1], [0x51, 0x61]])).contains("nested deeper than 32"))
  }

  @Test("a few objects that refer to each other many times do not grow without bound")
  func sharedReferences() {
    // 14 in each, 8 levels: 14^8 values from 120 bytes.
    var objects = (1...8).map { [0xae] + [UInt8](repeating: UInt8($0), count: 14) }
    objects.append([0x09])
    #expect(message(binary(objects)).contains("more than 20000 values"))
    let text = [0x5f, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
    let many = [0xaf, 0x11, 0x10, 0x00] + [UInt8](repeating: 1, count: 0x1000)
    #expect(message(binary([many, text])).contains("refers to its texts too often"))
  }

  @Test("a table of more references than values are allowed is refused before it is read")
  func longTable() {
    // Each of 32 levels could otherwise read one as long as the file.
    let count = PropertyList.maximumValues
    let header = [0xaf, 0x11, UInt8(count >> 8), UInt8(count & 255)]
    let table = [UInt8](repeating: 1, count: count - 1) + [99]
    let tooMany = "it holds more than 20000 values"
    #expect(message(binary([[0xa1, 1], header + table, [0x09]])) == tooMany)
    #expect(
      message(binary([[0xa1, 1], [0xdf] + header[1...] + table + table, [0x09]])) == tooMany)
  }

  @Test("a key that stands twice, or is no string, is refused")
  func keys() {
    let twice: [[UInt8]] = [[0xd2, 1, 1, 2, 2], [0x51, 0x61], [0x09]]
    #expect(message(binary(twice)).contains("the key `a` stands twice"))
    #expect(message(binary([[0xd1, 1, 1], [0x09]])).contains("which is not a string"))
  }

  @Test(
    "what points outside or is not whole is refused",
    arguments: [
      binary([[0xa1, 7]]), binary([[0xa2, 0]]), binary([[0x5f, 0x10, 0xff, 0x61]]),
      binary([[0x09]], top: 1), binary([[0x09]], count: 100), binary([[0x09]], count: 0),
      binary([[0x00]]), binary([[0x0f]]), binary([[0x80, 1]]), binary([[0xc1, 0]]),
      binary([[0x15, 1]]), binary([[0x20, 1]]), binary([[0x62, 0xd8, 0x00, 0, 0x61]]),
      binary([[0x51, 0x80]]), binary([[0x4f, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]),
      binary([[0xdf, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]),
      binary([[0x14] + [UInt8](repeating: 1, count: 16)]),
      binary([[0x23, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0]]),
      binary([[0x09]], count: Int.max), Array("bplist00".utf8) + [UInt8](repeating: 255, count: 40),
      Array("bplist00".utf8) + [UInt8](repeating: 0, count: 32), Array("bplist01".utf8),
    ])
  func damaged(_ bytes: [UInt8]) {
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
  }
}
