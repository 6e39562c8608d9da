import Glibc
import LinuxSystem
import NetworkBroker
import Testing

@testable import KeyboardHost

@Suite("The loop of the host")
struct PollLoopTests {
  @Test("tells two who watch one descriptor each what he asked for")
  func sharedDescriptor() throws {
    let pair = try StreamSocket.pair()
    let loop = PollLoop()
    var heard: [String] = []
    let input = loop.watch(pair.first.rawValue, for: .input) { _ in heard.append("input") }
    let output = loop.watch(pair.first.rawValue, for: .output) { _ in heard.append("output") }
    try loop.run(milliseconds: 0)
    #expect(heard == ["output"])
    _ = try pair.second.write([1])
    try loop.run(milliseconds: 0)
    #expect(heard == ["output", "input", "output"])
    loop.unwatch(output)
    try loop.run(milliseconds: 0)
    #expect(heard == ["output", "input", "output", "input"])
    loop.unwatch(input)
    try loop.run(milliseconds: 0)
    #expect(heard.count == 4)
  }

  @Test("takes a file, which is always ready, beside what is not", arguments: [true, false])
  func file(isAlone: Bool) throws {
    let file = try FileDescriptor.open("/proc/self/exe", .read)
    let pipe = try Pipe()
    let loop = PollLoop()
    var fromFile = 0
    var fromPipe = 0
    let fileToken = loop.watch(file.rawValue, for: .input) { _ in fromFile += 1 }
    if !isAlone { _ = loop.watch(pipe.readEnd.rawValue, for: .input) { _ in fromPipe += 1 } }
    try loop.run(milliseconds: 5_000)
    #expect(fromFile == 1)
    #expect(fromPipe == 0)
    _ = try pipe.writeEnd.write([1])
    try loop.run(milliseconds: 5_000)
    #expect(fromFile == 2)
    #expect(fromPipe == (isAlone ? 0 : 1))
    loop.unwatch(fileToken)
    try loop.run(milliseconds: 0)
    #expect(fromFile == 2)
    #expect(fromPipe == (isAlone ? 0 : 2))
  }

  @Test("calls in the order in which the watches began, and none that another has ended")
  func order() throws {
    let first = try Pipe()
    let second = try Pipe()
    let third = try Pipe()
    let loop = PollLoop()
    var heard: [Int] = []
    var last: PollLoop.Token?
    _ = loop.watch(third.readEnd.rawValue, for: .input) { _ in heard.append(2) }
    _ = loop.watch(first.readEnd.rawValue, for: .input) { _ in
      heard.append(0)
      if let last { loop.unwatch(last) }
    }
    last = loop.watch(second.readEnd.rawValue, for: .input) { _ in heard.append(1) }
    _ = try second.writeEnd.write([1])
    _ = try first.writeEnd.write([1])
    _ = try third.writeEnd.write([1])
    try loop.run(milliseconds: 0)
    #expect(heard == [2, 0])
  }

  @Test("tells a hang-up to one who did not ask for it")
  func hangUp() throws {
    let reader = try Pipe().closeWriteEnd()
    let loop = PollLoop()
    var heard: PollEvents = []
    _ = loop.watch(reader.rawValue, for: []) { heard = $0 }
    try loop.run(milliseconds: 0)
    #expect(heard == .hangUp)
  }

  @Test("watches the one that has got the number of a closed descriptor")
  func reusedNumber() throws {
    let loop = PollLoop()
    var heard = 0
    let number: Int32
    let old: PollLoop.Token
    do {
      let first = try Pipe().closeWriteEnd().lifted(to: 700)
      number = first.rawValue
      old = loop.watch(number, for: .input) { _ in }
    }
    let pipe = try Pipe()
    let other = try pipe.readEnd.duplicate(minimum: number)
    try #require(other.rawValue == number)
    let token = loop.watch(other.rawValue, for: .input) { _ in heard += 1 }
    loop.unwatch(old)
    _ = try pipe.writeEnd.write([1])
    try loop.run(milliseconds: 0)
    #expect(heard == 1)
    loop.unwatch(token)
  }
}
