extension BPFProgram {
  /// The value the kernel would get from the program for this system call.
  ///
  /// A program that the kernel would refuse ends with 0 (kill the thread) where it does something
  /// undefined: never with permission.
  public func run(on data: SeccompData) -> UInt32 {
    var a: UInt32 = 0
    var x: UInt32 = 0
    var memory = SIMD16<UInt32>()
    var index = 0
    while index < instructions.count {
      guard let operation = instructions[index].operation else { return 0 }
      index += 1
      switch operation {
      case .loadAbsolute(.word, let offset):
        guard offset < UInt32(SeccompData.size), offset % 4 == 0 else { return 0 }
        a = data.words[Int(offset / 4)]
      case .loadAbsolute, .loadIndirect, .loadXHeaderLength: return 0
      case .loadLength: a = UInt32(SeccompData.size)
      case .loadConstant(let k): a = k
      case .loadXLength: x = UInt32(SeccompData.size)
      case .loadXConstant(let k): x = k
      case .loadMemory(let slot):
        guard slot < Self.memoryWords else { return 0 }
        a = memory[Int(slot)]
      case .loadXMemory(let slot):
        guard slot < Self.memoryWords else { return 0 }
        x = memory[Int(slot)]
      case .store(let slot):
        guard slot < Self.memoryWords else { return 0 }
        memory[Int(slot)] = a
      case .storeX(let slot):
        guard slot < Self.memoryWords else { return 0 }
        memory[Int(slot)] = x
      case .arithmetic(let arithmetic, let operand):
        guard let result = arithmetic.apply(a, operand.value(x: x)) else { return 0 }
        a = result
      case .jump(let distance): index += Int(distance)
      case .branch(let comparison, let operand, let ifTrue, let ifFalse):
        index += Int(comparison.holds(a, operand.value(x: x)) ? ifTrue : ifFalse)
      case .returnConstant(let k): return k
      case .returnA: return a
      case .copyAToX: x = a
      case .copyXToA: a = x
      }
    }
    return 0
  }
}

extension BPFOperation.Operand {
  /// The operand's value when the index register holds `x`.
  public func value(x: UInt32) -> UInt32 {
    switch self {
    case .constant(let k): k
    case .x: x
    }
  }
}
