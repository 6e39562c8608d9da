/// What a seccomp filter sees of one system call: `struct seccomp_data` of `linux/seccomp.h`, kept
/// as the sixteen little-endian 32-bit words that a filter can load.
public struct SeccompData: Sendable, Hashable {
  /// Size of the structure in bytes; loads must lie within it.
  public static let size = 64
  /// The offset in bytes of the call's number.
  public static let numberOffset = 0
  /// The offset in bytes of the architecture (an `AUDIT_ARCH` value).
  public static let architectureOffset = 4
  /// The offset in bytes of the lower half of the first argument.
  public static let argumentsOffset = 16

  /// The sixteen words in the order of their offsets.
  public var words: SIMD16<UInt32>

  public init(words: SIMD16<UInt32>) {
    self.words = words
  }

  /// At most six arguments are taken; missing ones are 0.
  public init(
    number: UInt32, architecture: UInt32, instructionPointer: UInt64 = 0, arguments: [UInt64] = []
  ) {
    words = SIMD16()
    words[0] = number
    words[1] = architecture
    words[2] = UInt32(truncatingIfNeeded: instructionPointer)
    words[3] = UInt32(truncatingIfNeeded: instructionPointer >> 32)
    for (index, argument) in arguments.prefix(6).enumerated() {
      words[4 + 2 * index] = UInt32(truncatingIfNeeded: argument)
      words[5 + 2 * index] = UInt32(truncatingIfNeeded: argument >> 32)
    }
  }

  /// The call's number; the x32 bit is part of it.
  public var number: UInt32 { words[0] }
  /// An `AUDIT_ARCH` value.
  public var architecture: UInt32 { words[1] }
  /// Where the call was made.
  public var instructionPointer: UInt64 { UInt64(words[2]) | UInt64(words[3]) << 32 }

  /// The six arguments.
  public var arguments: [UInt64] { (0..<6).map(argument) }

  /// One argument; `index` is 0 to 5.
  public func argument(_ index: Int) -> UInt64 {
    UInt64(words[4 + 2 * index]) | UInt64(words[5 + 2 * index]) << 32
  }
}
