extension BPFProgram {
  /// The number of scratch words (`BPF_MEMWORDS`).
  static let memoryWords: UInt32 = 16

  /// Checks that the kernel would take the program as a seccomp filter.
  ///
  /// - Throws: the first of `problems()`.
  public func validate() throws(BPFError) {
    if let first = problems().first { throw first }
  }

  /// Everything the kernel would refuse, in the order of the instructions.
  ///
  /// The rules are those of `bpf_check_classic` in `net/core/filter.c` and `seccomp_check_filter`
  /// in `kernel/seccomp.c`; the tests compare them with the running kernel.
  public func problems() -> [BPFError] {
    guard !instructions.isEmpty else { return [BPFError("the program is empty")] }
    var found: [BPFError] = []
    if instructions.count > Self.maximumLength {
      found.append(
        BPFError(
          "the program has \(instructions.count) instructions; the kernel takes at most 4096"))
    }
    for (index, instruction) in instructions.enumerated() {
      if let message = problem(of: instruction, at: index) {
        found.append(BPFError(message, instruction: index))
      }
    }
    if let last = instructions.last, last.operation?.isReturn != true {
      found.append(
        BPFError(
          "the last instruction does not return, so the program could run off its end",
          instruction: instructions.count - 1))
    }
    // The flow of stored words is only defined once every jump stays inside.
    return found.isEmpty ? memoryProblems() : found
  }

  private func problem(of instruction: BPFInstruction, at index: Int) -> String? {
    guard let operation = instruction.operation else {
      return "0x\(String(instruction.code, radix: 16)) is no classic BPF instruction"
    }
    let remaining = instructions.count - index - 1
    switch operation {
    case .loadAbsolute(.word, let offset):
      if offset >= UInt32(SeccompData.size) {
        return "loads at offset \(offset), outside the 64 bytes a filter sees"
      }
      return offset % 4 == 0 ? nil : "loads at offset \(offset), which is not a multiple of 4"
    case .loadAbsolute:
      return "seccomp filters may load whole 32-bit words only"
    case .loadIndirect, .loadXHeaderLength:
      return "seccomp filters may not load at a computed offset"
    case .loadMemory(let slot), .loadXMemory(let slot), .store(let slot), .storeX(let slot):
      return slot < Self.memoryWords ? nil : "there is no scratch word \(slot); the last is 15"
    case .arithmetic(.modulo, _):
      return "seccomp filters may not use the modulo instruction"
    case .arithmetic(.divide, .constant(0)):
      return "divides by the constant 0"
    case .arithmetic(.shiftLeft, .constant(let k)), .arithmetic(.shiftRight, .constant(let k)):
      return k < 32 ? nil : "shifts a 32-bit word by \(k) bits"
    case .jump(let distance):
      return Int(distance) < remaining ? nil : "jumps \(distance) instructions on, past the end"
    case .branch(_, _, let ifTrue, let ifFalse):
      if Int(ifTrue) >= remaining {
        return "jumps \(ifTrue) instructions on when its test holds, past the end"
      }
      if Int(ifFalse) >= remaining {
        return "jumps \(ifFalse) instructions on when its test fails, past the end"
      }
      return nil
    case .loadLength, .loadConstant, .loadXLength, .loadXConstant, .arithmetic, .returnConstant,
      .returnA, .copyAToX, .copyXToA:
      return nil
    }
  }

  /// Scratch words read before every path to the reader has written them
  /// (`check_load_and_stores`).
  private func memoryProblems() -> [BPFError] {
    var found: [BPFError] = []
    var incoming = [UInt16](repeating: .max, count: instructions.count)
    var written: UInt16 = 0
    for (index, instruction) in instructions.enumerated() {
      written &= incoming[index]
      switch instruction.operation {
      case .store(let slot), .storeX(let slot):
        written |= 1 << UInt16(slot)
      case .loadMemory(let slot), .loadXMemory(let slot):
        if written & (1 << UInt16(slot)) == 0 {
          found.append(
            BPFError(
              "reads scratch word \(slot), which not every path has written", instruction: index))
        }
      case .jump(let distance):
        incoming[index + 1 + Int(distance)] &= written
        written = .max
      case .branch(_, _, let ifTrue, let ifFalse):
        incoming[index + 1 + Int(ifTrue)] &= written
        incoming[index + 1 + Int(ifFalse)] &= written
        written = .max
      default: break
      }
    }
    return found
  }
}
