extension BPFProgram {
  /// Reads the binary form of a big-endian kernel, as what it means for a little-endian one: the
  /// numbers are turned, and a load of half an argument (or of the instruction pointer) becomes one
  /// of where that half is here. So everything else knows one order only.
  ///
  /// - Throws: as `init(bytes:)`.
  public init(bigEndian bytes: [UInt8]) throws(BPFError) {
    var turned = bytes
    for start in stride(from: 0, to: bytes.count - bytes.count % 8, by: 8) {
      turned[start] = bytes[start + 1]
      turned[start + 1] = bytes[start]
      for index in 0..<4 { turned[start + 4 + index] = bytes[start + 7 - index] }
    }
    try self.init(bytes: turned)
    // The fields before these, number and architecture, are words.
    let pointer = UInt32(SeccompData.architectureOffset + 4)
    for index in instructions.indices {
      guard case .loadAbsolute(.word, let offset) = instructions[index].operation,
        offset >= pointer, offset < UInt32(SeccompData.size)
      else { continue }
      instructions[index].k ^= 4
    }
  }
}
