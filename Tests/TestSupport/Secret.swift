/// Random words: what arrives with one of these in it was taken from the place it was put in.
public enum Secret {
  /// Sixteen random lowercase hexadecimal digits after the name.
  public static func make(_ name: String = "secret") -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(name)-" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
