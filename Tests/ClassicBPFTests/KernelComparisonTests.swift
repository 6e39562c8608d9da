import CSandboxTesting
import ClassicBPF
import TestSupport
import Testing

/// The simulator and the checker against the running kernel, on random programs.
@Suite struct KernelComparisonTests {
  /// A number no kernel gives to a call, so that only the filter answers it.
  static let testNumber: UInt32 = 5000

  @Test("the simulator computes what the kernel computes")
  func simulatorAgrees() throws {
    var random = SplitMix(seed: 0x5eed)
    var checked = 0
    for _ in 0..<60 {
      let body = Self.validBody(&random)
      // The error number shows twelve bits of the result at a time.
      for shift in [UInt32(0), 12, 24] {
        let program = Self.program(body, shift: shift)
        try program.validate()
        var calls = (0..<20).map { _ in Self.call(&random) }
        let status = sandbox_testing_calls(
          program.bytes, UInt32(program.instructions.count), &calls, UInt32(calls.count))
        for call in calls {
          let data = SeccompData(
            number: UInt32(call.number), architecture: 0xc000_003e,
            arguments: Self.arguments(of: call))
          let expected = program.run(on: data)
          if expected == 0 {
            // Division by zero: the kernel kills the thread, the only one, and the rest is silence.
            #expect(call.result == .min, "\(program.disassembly)")
            #expect(status & 0x7f == 31)
            break
          }
          #expect(
            call.result == -Int64(expected & 0xffff), "\(program.disassembly)\n\(data.arguments)")
          checked += 1
        }
      }
    }
    #expect(checked > 1000)
  }

  @Test("the checker refuses exactly what the kernel refuses")
  func checkerAgrees() {
    var random = SplitMix(seed: 0xbeef)
    var accepted = 0
    var refused = 0
    for _ in 0..<3000 {
      let program = Self.anyProgram(&random)
      let error = sandbox_testing_load(program.bytes, UInt32(program.instructions.count))
      let problems = program.problems()
      #expect(
        (error == 0) == problems.isEmpty,
        "kernel: \(error), checker: \(problems)\n\(program.disassembly)")
      if error == 0 { accepted += 1 } else { refused += 1 }
    }
    #expect(accepted > 200)
    #expect(refused > 200)
  }

  @Test("every instruction code is taken or refused as the kernel does")
  func everyCode() {
    for code in UInt16(0)..<512 {
      for k in [UInt32(0), 4, 31, 32] {
        let program = BPFProgram([
          BPFInstruction(code: 0x02, k: k % 16),
          BPFInstruction(code: code, k: k),
          BPFInstruction(code: 0x06, k: 0x7fff_0000),
          BPFInstruction(code: 0x06, k: 0x7fff_0000),
        ])
        let error = sandbox_testing_load(program.bytes, 4)
        #expect(
          (error == 0) == program.problems().isEmpty,
          "code \(String(code, radix: 16)) k \(k): kernel \(error), \(program.problems())")
      }
    }
  }

  @Test("the longest program is taken and a longer one is not")
  func length() {
    for (count, isTaken) in [(4096, true), (4097, false)] {
      let program = BPFProgram(
        Array(repeating: BPFInstruction(code: 0x06, k: 0x7fff_0000), count: count))
      #expect(program.problems().isEmpty == isTaken)
      #expect((sandbox_testing_load(program.bytes, UInt32(count)) == 0) == isTaken)
    }
    #expect(!BPFProgram([]).problems().isEmpty)
  }

  static func call(_ random: inout SplitMix) -> sandbox_testing_call {
    func word() -> UInt64 {
      let value = random.next()
      return [value, value & 0xff, value | 0xffff_ffff_0000_0000, 0, .max][Int(value >> 8) % 5]
    }
    var call = sandbox_testing_call()
    call.number = Int64(testNumber)
    call.arguments = (word(), word(), word(), word(), word(), word())
    return call
  }

  static func arguments(of call: sandbox_testing_call) -> [UInt64] {
    let a = call.arguments
    return [a.0, a.1, a.2, a.3, a.4, a.5]
  }

  /// `body` leaves its result in the accumulator; all other calls are allowed.
  static func program(_ body: [BPFInstruction], shift: UInt32) -> BPFProgram {
    BPFProgram(
      [
        BPFInstruction(code: 0x20, k: 0), BPFInstruction(code: 0x15, jumpTrue: 1, k: testNumber),
        BPFInstruction(code: 0x06, k: 0x7fff_0000),
      ] + body + [
        BPFInstruction(code: 0x74, k: shift), BPFInstruction(code: 0x54, k: 0xfff),
        BPFInstruction(code: 0x44, k: 0x0005_0000), BPFInstruction(code: 0x16),
      ])
  }

  /// Straight code and forward jumps over it, valid by construction.
  static func validBody(_ random: inout SplitMix) -> [BPFInstruction] {
    var body: [BPFInstruction] = [
      BPFInstruction(code: 0x20, k: 16 + 4 * UInt32(random.next() % 12)),
      BPFInstruction(code: 0x02, k: 0), BPFInstruction(code: 0x03, k: 1),
    ]
    let count = 6 + Int(random.next() % 30)
    let arithmetic: [UInt16] = [0x00, 0x10, 0x20, 0x40, 0x50, 0xa0, 0x60, 0x70, 0x30]
    for index in 0..<count {
      let k = UInt32(truncatingIfNeeded: random.next() >> (random.next() % 40))
      switch random.next() % 12 {
      case 0...2: body.append(BPFInstruction(code: 0x20, k: 16 + 4 * (k % 12)))
      case 3: body.append(BPFInstruction(code: 0x07))
      case 4: body.append(BPFInstruction(code: 0x87))
      case 5: body.append(BPFInstruction(code: [0x02, 0x03, 0x60, 0x61][Int(k % 4)], k: k % 2))
      case 6: body.append(BPFInstruction(code: [0x00, 0x01, 0x80, 0x81, 0x84][Int(k % 5)], k: k))
      case 7...9:
        let operation = arithmetic[Int(random.next() % UInt64(arithmetic.count))]
        let usesX = random.next() % 3 == 0
        let operand =
          operation == 0x60 || operation == 0x70 ? k % 32 : operation == 0x30 ? k | 1 : k
        body.append(BPFInstruction(code: 0x04 | operation | (usesX ? 8 : 0), k: operand))
      default:
        let room = UInt64(count - index)
        let test: UInt16 = [0x10, 0x20, 0x30, 0x40][Int(random.next() % 4)]
        body.append(
          BPFInstruction(
            code: 0x05 | test | (random.next() % 3 == 0 ? 8 : 0),
            jumpTrue: UInt8(random.next() % room), jumpFalse: UInt8(random.next() % room), k: k))
      }
    }
    return body
  }

  /// Mostly valid codes with operands near the limits of what is allowed.
  static func anyProgram(_ random: inout SplitMix) -> BPFProgram {
    let codes: [UInt16] = [
      0x20, 0x20, 0x20, 0x80, 0x00, 0x60, 0x81, 0x01, 0x61, 0x02, 0x03, 0x04, 0x34, 0x3c, 0x54,
      0x64, 0x74, 0x84, 0x05, 0x15, 0x1d, 0x25, 0x35, 0x45, 0x07, 0x87, 0x28, 0x94, 0xb1,
    ]
    let count = 1 + Int(random.next() % 8)
    var instructions: [BPFInstruction] = []
    for _ in 0..<count {
      let code = codes[Int(random.next() % UInt64(random.next() % 4 == 0 ? codes.count : 26))]
      let ks: [UInt32] = [0, 1, 4, 15, 16, 31, 32, 60, 62, 64]
      instructions.append(
        BPFInstruction(
          code: code, jumpTrue: UInt8(random.next() % 3), jumpFalse: UInt8(random.next() % 3),
          k: code == 0x05 ? UInt32(random.next() % 3) : ks[Int(random.next() % 10)]))
    }
    for _ in 0..<Int(random.next() % 4) {
      instructions.append(BPFInstruction(code: random.next() % 4 == 0 ? 0x16 : 0x06))
    }
    return BPFProgram(instructions)
  }
}
