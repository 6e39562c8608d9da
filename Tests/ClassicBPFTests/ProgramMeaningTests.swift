import ClassicBPF
import TestSupport
import Testing

/// The path explorer against the simulator.
@Suite struct ProgramMeaningTests {
  /// A random program of all the arithmetic there is, ending with a few bits of its result.
  static func program(_ random: inout SplitMix) -> BPFProgram {
    BPFProgram(
      KernelComparisonTests.validBody(&random) + [
        BPFInstruction(code: 0x74, k: UInt32(random.next() % 28)),
        BPFInstruction(code: 0x54, k: 0xf), BPFInstruction(code: 0x16),
      ])
  }

  static func input(_ random: inout SplitMix) -> SeccompData {
    var words = SIMD16<UInt32>()
    for index in 0..<16 {
      let value = random.next()
      words[index] =
        [
          UInt32(truncatingIfNeeded: value >> 32), UInt32(truncatingIfNeeded: value & 0xff), 0,
          .max,
        ][Int(value >> 60) % 4]
    }
    return SeccompData(words: words)
  }

  @Test("every input is in the set of its answer, and every set answers what it says")
  func agreesWithSimulator() {
    var random = SplitMix(seed: 0xfeed)
    var followed = 0
    for _ in 0..<150 {
      let program = Self.program(&random)
      let sets = InputSets(limit: 60_000)
      // Products and quotients of two unknown words have no small diagram: those are given up.
      guard let meaning = try? ProgramMeaning(of: program, in: sets) else {
        #expect(sets.isExhausted)
        continue
      }
      followed += 1
      var union = InputSet.none
      for (value, inputs) in meaning.answers {
        #expect(sets.intersection(union, inputs).isEmpty)
        union = sets.union(union, inputs)
        if let element = sets.element(of: inputs) {
          #expect(program.run(on: element) == value, "\(program.disassembly)")
        }
      }
      #expect(union == .all)
      for _ in 0..<30 {
        let input = Self.input(&random)
        let value = program.run(on: input)
        #expect(
          meaning.answers[value].map { sets.contains(input, in: $0) } == true,
          "\(program.disassembly)")
      }
    }
    #expect(followed > 75, "\(followed)")
  }

  @Test("arithmetic on one word is exact: every value of eight bits, every instruction")
  func exactArithmetic() throws {
    for code in [UInt16(0x00), 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xa0] {
      for k in [UInt32(1), 3, 5, 31] {
        for usesX in [false, true] {
          // x holds the constant, or the constant meets the word as the other operand.
          let program = BPFProgram([
            BPFInstruction(code: 0x20, k: 16), BPFInstruction(code: 0x54, k: 0xff),
            BPFInstruction(code: 0x07), BPFInstruction(code: 0x00, k: usesX ? k &* 1000 : 0),
            BPFInstruction(code: usesX ? 0x04 | 0x08 | code : 0x87, k: 0),
            BPFInstruction(code: usesX ? 0x54 : 0x04 | code, k: usesX ? .max : k),
            BPFInstruction(code: 0x16),
          ])
          let sets = InputSets()
          let meaning = try ProgramMeaning(of: program, in: sets)
          for value in UInt32(0)..<256 {
            var words = SIMD16<UInt32>(repeating: 0xabcd_ef01)
            words[4] = value | 0x5500
            let input = SeccompData(words: words)
            let answer = program.run(on: input)
            #expect(meaning.answers[answer].map { sets.contains(input, in: $0) } == true)
          }
        }
      }
    }
  }

  @Test("a program the kernel would refuse has no meaning")
  func invalid() {
    #expect(throws: BPFError.self) {
      try ProgramMeaning(of: BPFProgram([BPFInstruction(code: 0x20, k: 64)]), in: InputSets())
    }
  }

  @Test("a set is walked in disjoint conjunctions that make it up")
  func cubes() {
    let sets = InputSets()
    let set = sets.union(
      sets.word(0, equals: 41),
      sets.intersection(sets.word(0, mask: 0xff, equals: 7), sets.word(4, equals: 2)))
    let cubes = sets.cubes(of: set, limit: 1000)
    let rebuilt = cubes.reduce(InputSet.none) { result, cube in
      let conjunction = (0..<16).reduce(InputSet.all) {
        sets.intersection($0, sets.word($1, mask: cube.masks[$1], equals: cube.values[$1]))
      }
      #expect(sets.intersection(result, conjunction).isEmpty)
      return sets.union(result, conjunction)
    }
    #expect(rebuilt == set)
    #expect(sets.word(3, mask: 1, equals: 2).isEmpty)
  }

  @Test("switching on a word gives each value the set of its segment")
  func switching() {
    let sets = InputSets()
    let marks = (0..<4).map { sets.word(8, equals: UInt32($0)) }
    let bounds: [UInt32] = [0, 9, 10, .max]
    let set = sets.switching(on: 0, zip(bounds, marks).map { (upTo: $0, set: $1) })
    for (value, segment) in [(UInt32(0), 0), (1, 1), (9, 1), (10, 2), (11, 3), (.max, 3)] {
      for mark in UInt32(0)..<4 {
        var words = SIMD16<UInt32>()
        words[0] = value
        words[8] = mark
        #expect(sets.contains(SeccompData(words: words), in: set) == (Int(mark) == segment))
      }
    }
  }
}
