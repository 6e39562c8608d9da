/// What is known at an instruction on every path to it, as far as names go: which word of the
/// call's data the accumulator holds, and which architecture the call has.
struct LoadContext: Hashable {
  /// The offset of the word in the accumulator, or nil when it is something else.
  var word: UInt32?
  /// The architecture, once a comparison has settled it.
  var architecture: UInt32?

  /// What holds on both paths.
  func merged(with other: LoadContext) -> LoadContext {
    LoadContext(
      word: word == other.word ? word : nil,
      architecture: architecture == other.architecture ? architecture : nil)
  }
}

extension BPFProgram {
  /// The context at each instruction. Jumps only go forward, so one pass is enough.
  func loadContexts() -> [LoadContext] {
    var incoming = [LoadContext?](repeating: nil, count: instructions.count)
    if !incoming.isEmpty { incoming[0] = LoadContext() }
    func flow(_ context: LoadContext, to index: Int) {
      guard index < incoming.count else { return }
      incoming[index] = incoming[index]?.merged(with: context) ?? context
    }
    for (index, instruction) in instructions.enumerated() {
      guard var context = incoming[index] else { continue }
      switch instruction.operation {
      case .loadAbsolute(.word, let offset):
        context.word = offset
        flow(context, to: index + 1)
      case .jump(let distance): flow(context, to: index + 1 + Int(distance))
      case .branch(let comparison, let operand, let ifTrue, let ifFalse):
        flow(context, to: index + 1 + Int(ifFalse))
        if comparison == .equal, context.word == UInt32(SeccompData.architectureOffset),
          case .constant(let k) = operand
        {
          context.architecture = k
        }
        flow(context, to: index + 1 + Int(ifTrue))
      case .returnConstant, .returnA: break
      case .store, .storeX, .copyAToX, .loadXLength, .loadXConstant, .loadXMemory:
        flow(context, to: index + 1)
      default:
        context.word = nil
        flow(context, to: index + 1)
      }
    }
    return incoming.map { $0 ?? LoadContext() }
  }
}
