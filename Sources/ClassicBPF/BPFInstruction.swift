/// One instruction of classic BPF, as `struct sock_filter` in `linux/filter.h`.
public struct BPFInstruction: Sendable, Hashable {
  /// Class, size, mode or operation, and operand source (`code`).
  public var code: UInt16
  /// Instructions to skip when a conditional jump's test holds (`jt`).
  public var jumpTrue: UInt8
  /// Instructions to skip when a conditional jump's test fails (`jf`).
  public var jumpFalse: UInt8
  /// The constant, offset, memory slot or jump distance (`k`).
  public var k: UInt32

  public init(code: UInt16, jumpTrue: UInt8 = 0, jumpFalse: UInt8 = 0, k: UInt32 = 0) {
    self.code = code
    self.jumpTrue = jumpTrue
    self.jumpFalse = jumpFalse
    self.k = k
  }

  /// The instruction's meaning, or nil when no classic BPF instruction has this code.
  public var operation: BPFOperation? { BPFOperation(self) }
}
