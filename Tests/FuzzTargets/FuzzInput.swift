/// Takes decisions from the bytes of an input, from the first to the last; when they are used up
/// every decision is 0.
struct FuzzInput {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// 0 up to but not with `limit`, which is at most 256.
  mutating func below(_ limit: Int) -> Int { Int(byte()) % limit }

  mutating func uint16() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func uint32() -> UInt32 { UInt32(uint16()) << 16 | UInt32(uint16()) }

  mutating func uint64() -> UInt64 { UInt64(uint32()) << 32 | UInt64(uint32()) }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(position + count, bytes.count)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  mutating func rest() -> [UInt8] { take(bytes.count) }
}

extension [UInt8] {
  /// The bytes in pieces of sizes that `seed` decides, from 1 to 16, as a pipe might give them.
  func pieces(seed: UInt8) -> [[UInt8]] {
    var state = UInt32(seed) &* 2_654_435_761 &+ 1
    var result: [[UInt8]] = []
    var start = 0
    while start < count {
      state = state &* 1_664_525 &+ 1_013_904_223
      let end = Swift.min(start + 1 + Int(state >> 28), count)
      result.append(Array(self[start..<end]))
      start = end
    }
    return result
  }
}
