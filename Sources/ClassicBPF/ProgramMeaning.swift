/// What a program answers to every possible input, exactly.
///
/// Programs have no loops, so one pass over the instructions, with the inputs that reach each of
/// them and the registers as functions of the input, follows every path there is. Nothing is
/// sampled, and no path is left out.
public struct ProgramMeaning {
  /// The inputs for which the program returns each value. The sets are disjoint, and together they
  /// are all inputs.
  public let answers: [UInt32: InputSet]

  /// The registers before an instruction, and the inputs that reach it.
  private struct State {
    var inputs: InputSet
    var a: SymbolicWord
    var x: SymbolicWord
    var memory: [SymbolicWord]
  }

  /// More distinct return values than this are not told apart.
  private static let maximumAnswers = 10_000

  /// - Throws: when the kernel would refuse the program, or when its arithmetic is too complicated
  ///   to follow within the limit of `sets`.
  public init(of program: BPFProgram, in sets: InputSets) throws(BPFError) {
    try program.validate()
    let zero = SymbolicWord(0)
    let count = program.instructions.count
    let live = program.liveRegisters()
    let noMemory = [SymbolicWord](repeating: zero, count: 16)
    var states = [State?](repeating: nil, count: count)
    states[0] = State(inputs: .all, a: zero, x: zero, memory: noMemory)
    var answers: [UInt32: InputSet] = [:]

    func flow(_ state: State, _ inputs: InputSet, to index: Int) {
      if inputs.isEmpty { return }
      var state = state
      state.inputs = inputs
      // Registers that nobody reads again would only keep states apart.
      if !live[index].contains(.a) { state.a = zero }
      if !live[index].contains(.x) { state.x = zero }
      let liveMemory = (0..<16).filter { live[index].contains(.memory($0)) }
      if liveMemory.count < 16 {
        let old = state.memory
        state.memory = noMemory
        for slot in liveMemory { state.memory[slot] = old[slot] }
      }
      guard let other = states[index] else {
        states[index] = state
        return
      }
      state.inputs = sets.union(inputs, other.inputs)
      state.a = sets.choice(inputs, state.a, other.a)
      state.x = sets.choice(inputs, state.x, other.x)
      for slot in liveMemory {
        state.memory[slot] = sets.choice(inputs, state.memory[slot], other.memory[slot])
      }
      states[index] = state
    }

    func answer(_ value: UInt32, _ inputs: InputSet) {
      if !inputs.isEmpty { answers[value] = sets.union(answers[value] ?? .none, inputs) }
    }

    for index in 0..<count {
      guard var state = states[index], let operation = program.instructions[index].operation else {
        continue
      }
      states[index] = nil
      let reaching = state.inputs
      func operand(_ operand: BPFOperation.Operand) -> SymbolicWord {
        switch operand {
        case .constant(let k): SymbolicWord(k)
        case .x: state.x
        }
      }
      switch operation {
      case .returnConstant(let k): answer(k, state.inputs)
      case .returnA:
        try Self.split(state.a, state.inputs, in: sets) { value, inputs throws(BPFError) in
          guard answers.count < Self.maximumAnswers else {
            throw BPFError(
              "returns more than \(Self.maximumAnswers) different values", instruction: index)
          }
          answer(value, inputs)
        }
      case .jump(let distance): flow(state, state.inputs, to: index + 1 + Int(distance))
      case .branch(let comparison, let other, let ifTrue, let ifFalse):
        let holds = sets.intersection(
          state.inputs, sets.holds(comparison, state.a, operand(other)))
        flow(state, holds, to: index + 1 + Int(ifTrue))
        flow(
          state, sets.subtracting(holds, from: state.inputs), to: index + 1 + Int(ifFalse))
      case .arithmetic(let arithmetic, let other):
        let b = operand(other)
        if arithmetic == .divide {
          let byZero = sets.intersection(
            state.inputs, sets.holds(.equal, b, SymbolicWord(0)))
          answer(0, byZero)
          state.inputs = sets.subtracting(byZero, from: state.inputs)
        }
        state.a = sets.apply(arithmetic, state.a, b)
        flow(state, state.inputs, to: index + 1)
      default:
        Self.move(operation, &state, in: sets)
        flow(state, state.inputs, to: index + 1)
      }
      if sets.isExhausted {
        throw BPFError(
          "the program is too complicated to follow for every input", instruction: index,
          input: sets.element(of: reaching))
      }
    }
    self.answers = answers
  }

  /// The instructions that only move words about.
  private static func move(
    _ operation: BPFOperation, _ state: inout State, in sets: InputSets
  ) {
    switch operation {
    case .loadAbsolute(_, let offset): state.a = sets.symbolicWord(Int(offset) / 4)
    case .loadLength: state.a = SymbolicWord(UInt32(SeccompData.size))
    case .loadConstant(let k): state.a = SymbolicWord(k)
    case .loadMemory(let slot): state.a = state.memory[Int(slot)]
    case .loadXLength: state.x = SymbolicWord(UInt32(SeccompData.size))
    case .loadXConstant(let k): state.x = SymbolicWord(k)
    case .loadXMemory(let slot): state.x = state.memory[Int(slot)]
    case .store(let slot): state.memory[Int(slot)] = state.a
    case .storeX(let slot): state.memory[Int(slot)] = state.x
    case .copyAToX: state.x = state.a
    case .copyXToA: state.a = state.x
    default: break
    }
  }

  /// Calls `body` with each value the word has for some of the inputs, and those inputs.
  private static func split(
    _ word: SymbolicWord, _ inputs: InputSet, in sets: InputSets,
    _ body: (UInt32, InputSet) throws(BPFError) -> Void
  ) throws(BPFError) {
    func descend(_ bit: Int, _ value: UInt32, _ inputs: InputSet) throws(BPFError) {
      if inputs.isEmpty { return }
      if bit < 0 { return try body(value, inputs) }
      let isSet = sets.intersection(inputs, word.bits[bit])
      try descend(bit - 1, value, sets.subtracting(isSet, from: inputs))
      try descend(bit - 1, value | 1 << UInt32(bit), isSet)
    }
    try descend(31, 0, inputs)
  }
}
