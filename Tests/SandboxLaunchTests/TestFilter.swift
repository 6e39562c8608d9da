import ClassicBPF

/// Instructions byte by byte, the wrong ones too.
struct BPFProgramOfBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var program: BPFProgram { get throws { try BPFProgram(bytes: bytes) } }
}

/// A small filter made by hand: what it names is answered so, everything else is allowed (or, for
/// the strictest filters, refused with EPERM).
struct TestFilter {
  static let allow: UInt32 = 0x7fff_0000
  static let notify: UInt32 = 0x7fc0_0000
  static func errno(_ number: UInt32) -> UInt32 { 0x0005_0000 | number }

  var answers: [(number: UInt32, action: UInt32)]
  var otherwise: UInt32 = allow

  /// x86-64's numbers.
  static let execve: UInt32 = 59
  static let execveat: UInt32 = 322
  static let socket: UInt32 = 41
  static let connect: UInt32 = 42
  static let ptrace: UInt32 = 101

  /// What Keyhost's own policies notify.
  init() {
    answers = [Self.execve, Self.execveat, Self.socket, Self.connect, Self.ptrace]
      .map { ($0, Self.notify) }
  }

  init(_ answers: [(UInt32, UInt32)], otherwise: UInt32 = TestFilter.allow) {
    self.answers = answers.map { (number: $0.0, action: $0.1) }
    self.otherwise = otherwise
  }

  var program: BPFProgram {
    // Load the architecture, kill what is not x86-64; load the number, compare, return.
    var instructions = [
      BPFInstruction(code: 0x20, k: 4),
      BPFInstruction(code: 0x15, jumpTrue: 1, jumpFalse: 0, k: 0xc000_003e),
      BPFInstruction(code: 0x06, k: 0x8000_0000),
      BPFInstruction(code: 0x20, k: 0),
    ]
    for answer in answers {
      instructions.append(BPFInstruction(code: 0x15, jumpTrue: 0, jumpFalse: 1, k: answer.number))
      instructions.append(BPFInstruction(code: 0x06, k: answer.action))
    }
    instructions.append(BPFInstruction(code: 0x06, k: otherwise))
    return BPFProgram(instructions)
  }
}
