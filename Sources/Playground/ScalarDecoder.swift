/// Makes scalars of bytes of UTF-8 that come one by one. What is none is left out.
struct ScalarDecoder: Sendable {
  private var bytes: [UInt8] = []
  private var length = 0

  /// - Returns: the scalar that the byte completes.
  mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 == 0x80, !bytes.isEmpty {
      bytes.append(byte)
      guard bytes.count == length else { return nil }
      defer { bytes = [] }
      return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    }
    // What was begun is not gone on with.
    bytes = []
    switch byte {
    case ..<0x80: return Unicode.Scalar(byte)
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    bytes = [byte]
    return nil
  }
}
