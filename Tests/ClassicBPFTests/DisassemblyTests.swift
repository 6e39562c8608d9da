import ClassicBPF
import Testing

@Suite struct DisassemblyTests {
  @Test(
    "each instruction is written as the kernel's assembler writes it",
    arguments: [
      (BPFInstruction(code: 0x07), "tax"),
      (BPFInstruction(code: 0x87), "txa"),
      (BPFInstruction(code: 0x1d, jumpTrue: 1, jumpFalse: 0), "jeq x, 0002, 0001"),
      (BPFInstruction(code: 0x15, jumpTrue: 0, jumpFalse: 1, k: 59), "jeq #0x3b, 0001, 0002"),
      (BPFInstruction(code: 0x2d, jumpTrue: 1, jumpFalse: 0), "jgt x, 0002, 0001"),
      (BPFInstruction(code: 0x45, jumpTrue: 1, k: 0x4000_0000), "jset #0x40000000, 0002, 0001"),
      (BPFInstruction(code: 0x05, k: 1), "ja 0002"),
      (BPFInstruction(code: 0x00, k: 7), "ld #0x7"),
      (BPFInstruction(code: 0x80), "ld #len"),
      (BPFInstruction(code: 0x60, k: 3), "ld M[3]"),
      (BPFInstruction(code: 0x61, k: 3), "ldx M[3]"),
      (BPFInstruction(code: 0x02, k: 3), "st M[3]"),
      (BPFInstruction(code: 0x03, k: 3), "stx M[3]"),
      (BPFInstruction(code: 0x34, k: 0), "div #0x0"),
      (BPFInstruction(code: 0x3c), "div x"),
      (BPFInstruction(code: 0x84), "neg"),
      (BPFInstruction(code: 0x16), "ret a"),
      (BPFInstruction(code: 0x20, k: 20), "ld [20]"),
      (BPFInstruction(code: 0xffff, k: 9), ".word 0xffff, jt 0, jf 0, k 0x9"),
    ])
  func notation(instruction: BPFInstruction, text: String) {
    let program = BPFProgram([
      instruction, BPFInstruction(code: 0x06), BPFInstruction(code: 0x06),
    ])
    let line = program.disassembly.split(separator: "\n")[0]
    let code = line.split(separator: ";")[0].dropFirst(6)
    #expect(String(code).trimmingTrailingSpaces == text)
  }

  @Test(
    "what the kernel would refuse is said on its line",
    arguments: [
      (BPFInstruction(code: 0x34, k: 0), "divides by the constant 0"),
      (BPFInstruction(code: 0xffff), "no classic BPF instruction"),
      (BPFInstruction(code: 0x20, k: 64), "outside the 64 bytes"),
      (BPFInstruction(code: 0x20, k: 6), "not a multiple of 4"),
      (BPFInstruction(code: 0x28, k: 4), "whole 32-bit words only"),
      (BPFInstruction(code: 0x05, k: 9), "past the end"),
      (BPFInstruction(code: 0x15, jumpTrue: 9), "past the end"),
      (BPFInstruction(code: 0x60, k: 2), "which not every path has written"),
      (BPFInstruction(code: 0x94, k: 3), "modulo"),
      (BPFInstruction(code: 0x64, k: 32), "by 32 bits"),
    ])
  func refusals(instruction: BPFInstruction, message: String) {
    let program = BPFProgram([instruction, BPFInstruction(code: 0x06)])
    #expect(program.problems().contains { $0.instruction == 0 && $0.message.contains(message) })
    let line = program.disassembly.split(separator: "\n")[0]
    #expect(line.contains("REFUSED: "))
    #expect(line.contains(message))
  }

  @Test("numbers are named by the architecture that the path to them has settled")
  func names() {
    // arch == A ? (nr == 1) : arch == B ? (nr == 1), then a join where neither is known.
    let program = BPFProgram([
      BPFInstruction(code: 0x20, k: 4),
      BPFInstruction(code: 0x15, jumpTrue: 1, k: 0xc000_003e),
      BPFInstruction(code: 0x15, jumpTrue: 2, jumpFalse: 4, k: 0x4000_0003),
      BPFInstruction(code: 0x20, k: 0),
      BPFInstruction(code: 0x15, jumpTrue: 2, jumpFalse: 2, k: 1),
      BPFInstruction(code: 0x20, k: 0),
      BPFInstruction(code: 0x15, jumpTrue: 0, jumpFalse: 0, k: 1),
      BPFInstruction(code: 0x06, k: 0x7fff_0000),
    ])
    let text = program.disassembly(
      callName: { "call \($0) of \(String($1, radix: 16))" }, action: { "returns \($0 >> 16)" })
    let lines = text.split(separator: "\n")
    #expect(lines[0].contains("; arch"))
    #expect(lines[4].contains("call 1 of c000003e"))
    #expect(lines[6].contains("call 1 of 40000003"))
    #expect(lines[7].contains("returns 32767"))
  }

  @Test("reading bytes says what is wrong with them")
  func reading() throws {
    #expect(throws: BPFError("the program is empty")) { try BPFProgram(bytes: []) }
    #expect(throws: BPFError.self) { try BPFProgram(bytes: [UInt8](repeating: 0, count: 12)) }
    #expect(throws: BPFError.self) { try BPFProgram(bytes: [UInt8](repeating: 0, count: 8 * 4097)) }
    let program = BPFProgram([
      BPFInstruction(code: 0x1234, jumpTrue: 5, jumpFalse: 6, k: 0x89ab_cdef)
    ])
    #expect(program.bytes == [0x34, 0x12, 5, 6, 0xef, 0xcd, 0xab, 0x89])
    #expect(try BPFProgram(bytes: program.bytes) == program)
  }
}

extension String {
  var trimmingTrailingSpaces: String {
    var result = self
    while result.last == " " { result.removeLast() }
    return result
  }

  @Test("a big-endian kernel's program means the same in this order")
  func byteOrder() throws {
    // ld [20], the lower half of the first argument there; jeq #5; ret.
    let bytes: [UInt8] = [
      0, 0x20, 0, 0, 0, 0, 0, 20, 0, 0x15, 0, 1, 0, 0, 0, 5,
      0, 0x06, 0, 0, 0x7f, 0xff, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, 0,
    ]
    let program = try BPFProgram(bigEndian: bytes)
    #expect(program.instructions.first == BPFInstruction(code: 0x20, k: 16))
    #expect(
      program.run(on: SeccompData(number: 0, architecture: 8, arguments: [5])) == 0x7fff_0000)
    #expect(
      program.run(on: SeccompData(number: 0, architecture: 8, arguments: [5 << 32])) == 0)
    #expect(throws: BPFError.self) { try BPFProgram(bigEndian: Array(bytes.dropLast(3))) }
  }
}
