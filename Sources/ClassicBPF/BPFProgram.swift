/// A classic BPF program: the very instructions the kernel runs for each system call.
public struct BPFProgram: Sendable, Hashable {
  /// The most instructions the kernel takes (`BPF_MAXINSNS`).
  public static let maximumLength = 4096
  /// Bytes of one instruction in its binary form (`struct sock_filter`).
  public static let instructionSize = 8

  /// The instructions, as they will be run or as they were read.
  public var instructions: [BPFInstruction]

  public init(_ instructions: [BPFInstruction]) {
    self.instructions = instructions
  }

  /// Reads the little-endian binary form that `seccomp_export_bpf` writes and the kernel takes.
  ///
  /// - Throws: when there is no instruction, when the last one is cut short, or when there are
  ///   more than the kernel takes. Whether the kernel would run them is `validate()`'s question.
  public init(bytes: [UInt8]) throws(BPFError) {
    guard !bytes.isEmpty else { throw BPFError("the program is empty") }
    guard bytes.count % Self.instructionSize == 0 else {
      throw BPFError(
        "the program is cut short: \(bytes.count) bytes are not a multiple of 8",
        instruction: bytes.count / Self.instructionSize)
    }
    let count = bytes.count / Self.instructionSize
    guard count <= Self.maximumLength else {
      throw BPFError("the program has \(count) instructions; the kernel takes at most 4096")
    }
    instructions = []
    instructions.reserveCapacity(count)
    for index in 0..<count {
      let at = index * Self.instructionSize
      let k = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + 4 + $1]) << (8 * UInt32($1)) }
      instructions.append(
        BPFInstruction(
          code: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8,
          jumpTrue: bytes[at + 2], jumpFalse: bytes[at + 3], k: k))
    }
  }

  /// The little-endian binary form.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(instructions.count * Self.instructionSize)
    for instruction in instructions {
      result.append(UInt8(truncatingIfNeeded: instruction.code))
      result.append(UInt8(truncatingIfNeeded: instruction.code >> 8))
      result.append(instruction.jumpTrue)
      result.append(instruction.jumpFalse)
      for shift in [UInt32(0), 8, 16, 24] {
        result.append(UInt8(truncatingIfNeeded: instruction.k >> shift))
      }
    }
    return result
  }

  /// SHA-256 of `bytes` in lower-case hexadecimal: the name of a program in caches and logs.
  public var digest: String { SHA256.hexadecimalDigest(of: bytes) }
}
