/// Base64 of RFC 4648, section 4, with blanks anywhere, as property lists break its lines.
enum Base64 {
  static func decode(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var buffer: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      let value: UInt32
      switch byte {
      case 65...90: value = UInt32(byte) - 65
      case 97...122: value = UInt32(byte) - 71
      case 48...57: value = UInt32(byte) + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x20, 0x09, 0x0a, 0x0d: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      buffer = buffer << 6 | value
      count += 1
      if count % 4 == 0 {
        result += [UInt8(buffer >> 16 & 255), UInt8(buffer >> 8 & 255), UInt8(buffer & 255)]
      }
    }
    switch count % 4 {
    case 0: return padding == 0 ? result : nil
    case 2: return padding == 2 ? result + [UInt8(buffer >> 4 & 255)] : nil
    case 3:
      return padding == 1 ? result + [UInt8(buffer >> 10 & 255), UInt8(buffer >> 2 & 255)] : nil
    default: return nil
    }
  }
}
