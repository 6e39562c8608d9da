import CSandboxTesting
import ClassicBPF
import Glibc
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// Calls made in a child under the filter, judged by what the kernel does.
@Suite struct FilteredCallsTests {
  static func call(_ number: Int64, _ arguments: [UInt64] = []) -> sandbox_testing_call {
    var call = sandbox_testing_call()
    call.number = number
    let a = arguments + [UInt64](repeating: 0, count: 6 - arguments.count)
    call.arguments = (a[0], a[1], a[2], a[3], a[4], a[5])
    return call
  }

  /// What the calls returned, and the child's wait status.
  static func run(
    _ calls: [sandbox_testing_call], under program: BPFProgram
  ) -> (results: [Int64], status: Int32) {
    var calls = calls
    let status = sandbox_testing_calls(
      program.bytes, UInt32(program.instructions.count), &calls, UInt32(calls.count))
    return (calls.map(\.result), status)
  }

  @Test("calls of foreign architectures end the process", arguments: [false, true])
  func foreignArchitectures(openAccess: Bool) throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: openAccess))
    #expect(
      sandbox_testing_i386_call(program.bytes, UInt32(program.instructions.count)) & 0x7f == SIGSYS)
    for number in [Int64(39), 520, 0] {
      let (results, status) = Self.run([Self.call(number | 0x4000_0000)], under: program)
      #expect(results == [.min])
      #expect(status & 0x7f == SIGSYS)
    }
  }

  @Test("without a supervisor, a notified call is refused, never allowed")
  func noSupervisor() throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: true))
    let numbers: [Int64] = [41, 42, 59, 101, 165, 321, 425]
    // The address families are so chosen that the filter does not allow them itself.
    let (results, status) = Self.run(numbers.map { Self.call($0, [1, 1]) }, under: program)
    #expect(results == [Int64](repeating: -Int64(ENOSYS), count: numbers.count))
    #expect(status == 0)
  }

  @Test("the upper half of an argument that the kernel reads as an int hides nothing")
  func upperHalves() throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: true))
    let high: UInt64 = 1 << 32
    let calls: [(call: sandbox_testing_call, result: Int64)] = [
      (Self.call(16, [0, 0x5412 + high]), -25), (Self.call(16, [0, 0x541c + high]), -25),
      (Self.call(157, [1 + high, 9]), -1), (Self.call(157, [4 + high, 1]), -1),
      (Self.call(72, [0, 10 + high, 18]), -1), (Self.call(56, [0x11 + high]), -1),
      (Self.call(56, [0x3d0f00 + 0x1000_0000 + high]), -1), (Self.call(135, [8 + high]), -1),
      (Self.call(41, [1 + high, 1]), -38), (Self.call(41, [38 + high, 5]), -38),
      // Notified, and here is nobody to answer.
      (Self.call(2, [0, 3 + high]), -38), (Self.call(257, [0, 0, 0x200 + high]), -38),
      // Allowed ones, bits and all.
      (Self.call(72, [0, 1 + high]), 0), (Self.call(135, [0xffff_ffff + high]), 0),
      (Self.call(2, [0, high]), -14),
    ]
    let (results, _) = Self.run(calls.map(\.call), under: program)
    #expect(results == calls.map(\.result))
  }

  @Test(
    "advice about memory moves no page of a file, and page faults are told to nobody",
    arguments: [false, true])
  func pageCache(openAccess: Bool) throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: openAccess))
    // Of no bytes at all: the kernel looks at the advice alone.
    let allowed: [UInt64] = [0, 4, 8, 10, 11, 15, 16, 17, 18, 19]
    let advice: [UInt64] = Array(0...32) + [100, 101, 102, 103, 20 + 1 << 32, 21 + 1 << 32, .max]
    let (results, _) = Self.run(advice.map { Self.call(28, [0, 0, $0]) }, under: program)
    for (advice, result) in zip(advice, results) {
      let expected = allowed.contains(advice) ? Int64(madvise(nil, 0, Int32(advice))) : -22
      #expect(result == expected, "\(advice)")
    }
    // MADV_PAGEOUT is no mistake of the caller's.
    #expect(madvise(nil, 0, 21) == 0)
    // getrusage, mincore, readahead, fadvise64, cachestat.
    let others = [98, 27, 187, 221, 451].map { Self.call($0) }
    #expect(Self.run(others, under: program).results == [-1, -1, -1, -1, -38])
  }

  @Test(
    "a thread waits for few descriptors, low ones are watched, and there is no pipe",
    arguments: [false, true])
  func waiting(openAccess: Bool) throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: openAccess))
    let high: UInt64 = 1 << 32
    var calls: [(call: sandbox_testing_call, result: Int64)] = []
    // poll and ppoll, of nothing that is there: the kernel would look at the address first.
    for (count, result) in [(0, 0), (1, -14), (7, -14), (8, -22), (128, -22)] as [(UInt64, Int64)] {
      for upper in [0, high] {
        calls.append((Self.call(7, [0, count + upper, 0]), result))
        if count > 0 { calls.append((Self.call(271, [0, count + upper, 0]), result)) }
      }
    }
    // select and pselect6, without sets and with a moment that is not there.
    for (count, result) in [(0, -14), (15, -14), (16, -14), (17, -22), (24, -22), (128, -22)]
      as [(UInt64, Int64)]
    {
      for upper in [0, high] {
        calls.append((Self.call(23, [count + upper, 0, 0, 0, 1]), result))
        calls.append((Self.call(270, [count + upper, 0, 0, 0, 1]), result))
      }
    }
    // epoll_ctl of something that is no epoll, to watch something that is not open.
    for (descriptor, result) in [(31, -9), (32, -28), (96, -28), (.max, -28)] as [(UInt64, Int64)] {
      calls.append((Self.call(233, [.max, 2, descriptor, 0]), result))
    }
    calls += [
      (Self.call(22), -1), (Self.call(293), -1), (Self.call(293, [0, 0o4000]), -1),
      (Self.call(293, [0, 0o200]), -1),
    ]
    let (results, _) = Self.run(calls.map(\.call), under: program)
    #expect(results == calls.map(\.result))
  }

  @Test("names are exchanged or given to nothing that has them, and leave no device node behind")
  func renaming() throws {
    let program = try SeccompCompiler().compile(try Policies.resolved(openAccess: false))
    let flags: [UInt64] = [0, 1, 2, 4, 5, 8, 4 + 1 << 32]
    let (results, _) = Self.run(flags.map { Self.call(316, [0, 0, 0, 0, $0]) }, under: program)
    #expect(results == [-14, -14, -14, -22, -22, -22, -22])
  }

  @Test("a policy of five calls runs them, and its supervisor's one exec")
  func strictest() throws {
    let location = PolicyLocation(file: "test", line: 1, column: 1)
    let policy = ResolvedSeccompPolicy(
      defaultAction: .killProcess, architectures: [.x8664],
      foreignArchitectureAction: .killProcess,
      rules: ["read", "write", "exit_group", "rt_sigreturn"].map {
        .init(systemCall: $0, action: .allow, source: location)
      } + [.init(systemCall: "execve", action: .notify, source: location)])
    let program = try SeccompCompiler().compile(policy)
    let (results, status) = Self.run(
      [Self.call(1, [UInt64(bitPattern: -1)]), Self.call(39)], under: program)
    #expect(results == [-Int64(EBADF), .min])
    #expect(status & 0x7f == SIGSYS)
  }

  @Test("libseccomp's refusals name the call and the rule's place")
  func compileErrors() {
    let location = PolicyLocation(file: "p.json", line: 7, column: 9)
    func policy(_ rule: ResolvedSeccompPolicy.Rule) -> ResolvedSeccompPolicy {
      ResolvedSeccompPolicy(
        defaultAction: .errno(1), architectures: [.x8664],
        foreignArchitectureAction: .killProcess, rules: [rule])
    }
    let repeated = policy(
      .init(
        systemCall: "socket",
        conditions: [
          .init(index: 0, test: .equal(1)), .init(index: 0, test: .equal(2)),
        ], action: .allow, source: location))
    let unknown = policy(.init(systemCall: "opne", action: .allow, source: location))
    for (policy, name) in [(repeated, "socket"), (unknown, "opne")] {
      let error = #expect(throws: SeccompError.self) { try SeccompCompiler().compile(policy) }
      #expect(error?.systemCall == name)
      #expect(error?.description.contains("p.json:7:9") == true)
    }
    var none = unknown
    none.architectures = []
    #expect(throws: SeccompError.self) { try SeccompCompiler().compile(none) }
  }

  @Test("names and numbers agree in both directions, for each architecture of x86-64 machines")
  func names() {
    #expect(systemCallName(59, auditArchitecture: 0xc000_003e) == "execve")
    #expect(systemCallName(11, auditArchitecture: 0x4000_0003) == "execve")
    #expect(systemCallName(520 | 0x4000_0000, auditArchitecture: 0xc000_003e) == "execve")
    #expect(systemCallName(59 | 0x4000_0000, auditArchitecture: 0x4000_0003) == nil)
    #expect(systemCallName(5000, auditArchitecture: 0xc000_003e) == nil)
    #expect(systemCallName(59, auditArchitecture: 1) == nil)
    let table = LibseccompTable()
    for architecture in [SeccompArchitecture.x8664, .x86, .x32, .aarch64] {
      let names = table.names(on: architecture)
      #expect(names.count > 250)
      for name in names {
        let number = table.number(of: name, on: architecture)
        #expect(number.flatMap { table.name(of: $0, on: architecture) } == name)
      }
    }
    #expect(!table.isKnown("opne"))
    #expect(table.isKnown("socketcall"))
    #expect(table.number(of: "socketcall", on: .x8664) == nil)
  }
}
