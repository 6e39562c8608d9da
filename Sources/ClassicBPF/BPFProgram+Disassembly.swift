extension BPFProgram {
  /// The program as text, one instruction a line, with what the kernel would refuse said on the
  /// line it is about.
  ///
  /// - Parameters:
  ///   - callName: names a call by number and `AUDIT_ARCH` value; given the architecture on the
  ///     path to the instruction, where there is only one.
  ///   - action: describes a return value.
  public func disassembly(
    callName: ((_ number: UInt32, _ auditArchitecture: UInt32) -> String?)? = nil,
    action: ((_ returnValue: UInt32) -> String)? = nil
  ) -> String {
    let contexts = loadContexts()
    var problems: [Int: [String]] = [:]
    for problem in self.problems() {
      problems[problem.instruction ?? 0, default: []].append(problem.message)
    }
    let width = max(4, String(max(instructions.count - 1, 0)).count)
    var lines: [String] = []
    for (index, instruction) in instructions.enumerated() {
      var line = padded(index, to: width) + "  " + text(of: instruction, at: index)
      var notes: [String] = []
      if let note = note(
        on: instruction, context: contexts[index], callName: callName, action: action)
      {
        notes.append(note)
      }
      notes += (problems[index] ?? []).map { "REFUSED: \($0)" }
      if !notes.isEmpty {
        line += String(repeating: " ", count: max(1, 44 - line.count)) + "; "
        line += notes.joined(separator: "; ")
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// The program as text without names.
  public var disassembly: String { disassembly() }

  private func padded(_ number: Int, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private func text(of instruction: BPFInstruction, at index: Int) -> String {
    guard let operation = instruction.operation else {
      return ".word 0x\(String(instruction.code, radix: 16)), jt \(instruction.jumpTrue), "
        + "jf \(instruction.jumpFalse), k \(hexadecimal(instruction.k))"
    }
    return operation.text { distance in padded(index + 1 + distance, to: 4) }
  }

  private func note(
    on instruction: BPFInstruction, context: LoadContext,
    callName: ((UInt32, UInt32) -> String?)?, action: ((UInt32) -> String)?
  ) -> String? {
    switch instruction.operation {
    case .loadAbsolute(.word, let offset): return SeccompData.fieldName(at: offset)
    case .returnConstant(let value): return action?(value)
    case .branch(_, .constant(let k), _, _):
      guard context.word == UInt32(SeccompData.numberOffset),
        let architecture = context.architecture
      else { return nil }
      return callName?(k, architecture)
    default: return nil
    }
  }
}

extension SeccompData {
  /// What lies at an offset: `nr`, `arch`, `ip` or `args[n]`, with `low` or `high` for the halves
  /// of 64-bit fields; nil where no 32-bit word begins.
  public static func fieldName(at offset: UInt32) -> String? {
    guard offset % 4 == 0, offset < UInt32(size) else { return nil }
    switch offset {
    case 0: return "nr"
    case 4: return "arch"
    case 8: return "ip low"
    case 12: return "ip high"
    default: return "args[\((offset - 16) / 8)] \(offset % 8 == 0 ? "low" : "high")"
    }
  }
}

extension BPFOperation {
  /// The instruction in the notation of the kernel's `bpf_asm`; `target` names the instruction that
  /// many places after the next one.
  func text(target: (Int) -> String) -> String {
    switch self {
    case .loadAbsolute(let width, let offset): "\(width.mnemonic) [\(offset)]"
    case .loadIndirect(let width, let offset): "\(width.mnemonic) [x + \(offset)]"
    case .loadLength: "ld #len"
    case .loadConstant(let k): "ld #\(hexadecimal(k))"
    case .loadMemory(let slot): "ld M[\(slot)]"
    case .loadXLength: "ldx #len"
    case .loadXConstant(let k): "ldx #\(hexadecimal(k))"
    case .loadXMemory(let slot): "ldx M[\(slot)]"
    case .loadXHeaderLength(let offset): "ldx 4*([\(offset)]&0xf)"
    case .store(let slot): "st M[\(slot)]"
    case .storeX(let slot): "stx M[\(slot)]"
    case .arithmetic(.negate, _): "neg"
    case .arithmetic(let arithmetic, let operand): "\(arithmetic.mnemonic) \(operand.text)"
    case .jump(let distance): "ja \(target(Int(distance)))"
    case .branch(let comparison, let operand, let ifTrue, let ifFalse):
      "\(comparison.mnemonic) \(operand.text), \(target(Int(ifTrue))), \(target(Int(ifFalse)))"
    case .returnConstant(let k): "ret #\(hexadecimal(k))"
    case .returnA: "ret a"
    case .copyAToX: "tax"
    case .copyXToA: "txa"
    }
  }
}

extension BPFOperation.Width {
  fileprivate var mnemonic: String {
    switch self {
    case .word: "ld"
    case .half: "ldh"
    case .byte: "ldb"
    }
  }
}

extension BPFOperation.Operand {
  fileprivate var text: String {
    switch self {
    case .constant(let k): "#\(hexadecimal(k))"
    case .x: "x"
    }
  }
}

extension BPFOperation.Arithmetic {
  fileprivate var mnemonic: String {
    switch self {
    case .add: "add"
    case .subtract: "sub"
    case .multiply: "mul"
    case .divide: "div"
    case .or: "or"
    case .and: "and"
    case .shiftLeft: "lsh"
    case .shiftRight: "rsh"
    case .negate: "neg"
    case .modulo: "mod"
    case .exclusiveOr: "xor"
    }
  }
}

extension BPFOperation.Comparison {
  fileprivate var mnemonic: String {
    switch self {
    case .equal: "jeq"
    case .greater: "jgt"
    case .greaterOrEqual: "jge"
    case .anyBitSet: "jset"
    }
  }
}

/// `value` in lower-case hexadecimal with its prefix.
func hexadecimal(_ value: some BinaryInteger) -> String { "0x" + String(value, radix: 16) }
