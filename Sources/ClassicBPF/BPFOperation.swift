/// The meaning of an instruction: what the simulator, the disassembler and the path explorer read,
/// so that the bits of `code` are taken apart in one place.
///
/// `a` is the accumulator, `x` the index register; there are sixteen scratch words beside them.
public enum BPFOperation: Sendable, Hashable {
  /// The arithmetic of class `BPF_ALU`.
  public enum Arithmetic: UInt16, Sendable, CaseIterable {
    case add = 0x00
    case subtract = 0x10
    case multiply = 0x20
    case divide = 0x30
    case or = 0x40
    case and = 0x50
    case shiftLeft = 0x60
    case shiftRight = 0x70
    case negate = 0x80
    case modulo = 0x90
    case exclusiveOr = 0xa0
  }

  /// The tests of class `BPF_JMP`; all compare unsigned 32-bit words.
  public enum Comparison: UInt16, Sendable, CaseIterable {
    case equal = 0x10
    case greater = 0x20
    case greaterOrEqual = 0x30
    case anyBitSet = 0x40
  }

  /// The second operand of arithmetic and comparisons.
  public enum Operand: Sendable, Hashable {
    case constant(UInt32)
    case x
  }

  /// The width of a packet load in bytes.
  public enum Width: Int, Sendable {
    case word = 4
    case half = 2
    case byte = 1
  }

  case loadAbsolute(Width, offset: UInt32)
  case loadIndirect(Width, offset: UInt32)
  case loadLength
  case loadConstant(UInt32)
  case loadMemory(UInt32)
  case loadXLength
  case loadXConstant(UInt32)
  case loadXMemory(UInt32)
  case loadXHeaderLength(offset: UInt32)
  case store(UInt32)
  case storeX(UInt32)
  case arithmetic(Arithmetic, Operand)
  case jump(UInt32)
  case branch(Comparison, Operand, ifTrue: UInt8, ifFalse: UInt8)
  case returnConstant(UInt32)
  case returnA
  case copyAToX
  case copyXToA

  /// Nil for a code outside the kernel's table of classic instructions (`chk_code_allowed` in
  /// `net/core/filter.c`): the bits must match exactly, unused ones included.
  public init?(_ instruction: BPFInstruction) {
    let code = instruction.code
    let k = instruction.k
    switch code {
    case 0x20: self = .loadAbsolute(.word, offset: k)
    case 0x28: self = .loadAbsolute(.half, offset: k)
    case 0x30: self = .loadAbsolute(.byte, offset: k)
    case 0x40: self = .loadIndirect(.word, offset: k)
    case 0x48: self = .loadIndirect(.half, offset: k)
    case 0x50: self = .loadIndirect(.byte, offset: k)
    case 0x80: self = .loadLength
    case 0x00: self = .loadConstant(k)
    case 0x60: self = .loadMemory(k)
    case 0x81: self = .loadXLength
    case 0x01: self = .loadXConstant(k)
    case 0x61: self = .loadXMemory(k)
    case 0xb1: self = .loadXHeaderLength(offset: k)
    case 0x02: self = .store(k)
    case 0x03: self = .storeX(k)
    case 0x05: self = .jump(k)
    case 0x06: self = .returnConstant(k)
    case 0x16: self = .returnA
    case 0x07: self = .copyAToX
    case 0x87: self = .copyXToA
    case 0x84: self = .arithmetic(.negate, .constant(k))
    default:
      let operand: Operand = code & 0x08 == 0 ? .constant(k) : .x
      switch code & 0xff07 {
      case 0x04:
        guard let arithmetic = Arithmetic(rawValue: code & 0xf0), arithmetic != .negate else {
          return nil
        }
        self = .arithmetic(arithmetic, operand)
      case 0x05:
        guard let comparison = Comparison(rawValue: code & 0xf0) else { return nil }
        self = .branch(
          comparison, operand, ifTrue: instruction.jumpTrue, ifFalse: instruction.jumpFalse)
      default: return nil
      }
    }
  }

  /// Whether the program ends here.
  public var isReturn: Bool {
    switch self {
    case .returnConstant, .returnA: true
    default: false
    }
  }
}

extension BPFOperation.Arithmetic {
  /// The result of the kernel's 32-bit arithmetic; nil for a division by zero, which ends the
  /// program with 0.
  public func apply(_ a: UInt32, _ operand: UInt32) -> UInt32? {
    switch self {
    case .add: a &+ operand
    case .subtract: a &- operand
    case .multiply: a &* operand
    case .divide: operand == 0 ? nil : a / operand
    case .modulo: operand == 0 ? nil : a % operand
    case .or: a | operand
    case .and: a & operand
    case .exclusiveOr: a ^ operand
    // The kernel (and the processor under its compiler) takes the distance modulo 32.
    case .shiftLeft: a &<< operand
    case .shiftRight: a &>> operand
    case .negate: 0 &- a
    }
  }
}

extension BPFOperation.Comparison {
  /// Whether the test holds.
  public func holds(_ a: UInt32, _ operand: UInt32) -> Bool {
    switch self {
    case .equal: a == operand
    case .greater: a > operand
    case .greaterOrEqual: a >= operand
    case .anyBitSet: a & operand != 0
    }
  }
}
