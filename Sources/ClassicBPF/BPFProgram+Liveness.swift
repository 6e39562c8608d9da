/// The registers of the BPF machine, as a set of bits.
struct RegisterSet: OptionSet, Hashable {
  let rawValue: UInt32

  static let a = RegisterSet(rawValue: 1 << 16)
  static let x = RegisterSet(rawValue: 1 << 17)

  /// A scratch word, 0 to 15.
  static func memory(_ slot: Int) -> RegisterSet { RegisterSet(rawValue: 1 << UInt32(slot)) }
}

extension BPFProgram {
  /// The registers that some path from each instruction on reads before writing them. Jumps only
  /// go forward, so one pass from the end is exact. The program must be valid.
  func liveRegisters() -> [RegisterSet] {
    var live = [RegisterSet](repeating: [], count: instructions.count + 1)
    for index in instructions.indices.reversed() {
      guard let operation = instructions[index].operation else { continue }
      let (reads, writes) = operation.registers
      var after: RegisterSet =
        switch operation {
        case .returnConstant, .returnA: []
        case .jump(let distance): live[index + 1 + Int(distance)]
        case .branch(_, _, let ifTrue, let ifFalse):
          live[index + 1 + Int(ifTrue)].union(live[index + 1 + Int(ifFalse)])
        default: live[index + 1]
        }
      after.subtract(writes)
      live[index] = after.union(reads)
    }
    return live
  }
}

extension BPFOperation {
  /// What an instruction reads and writes.
  fileprivate var registers: (reads: RegisterSet, writes: RegisterSet) {
    switch self {
    case .loadAbsolute, .loadLength, .loadConstant: ([], .a)
    case .loadIndirect: (.x, .a)
    case .loadMemory(let slot): (.memory(Int(slot)), .a)
    case .loadXLength, .loadXConstant, .loadXHeaderLength: ([], .x)
    case .loadXMemory(let slot): (.memory(Int(slot)), .x)
    case .store(let slot): (.a, .memory(Int(slot)))
    case .storeX(let slot): (.x, .memory(Int(slot)))
    case .arithmetic(_, .x): ([.a, .x], .a)
    case .arithmetic(_, .constant): (.a, .a)
    case .branch(_, .x, _, _): ([.a, .x], [])
    case .branch(_, .constant, _, _): (.a, [])
    case .jump, .returnConstant: ([], [])
    case .returnA: (.a, [])
    case .copyAToX: (.a, .x)
    case .copyXToA: (.x, .a)
    }
  }
}
