import ClassicBPF
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import KeyboardHost
@testable import SandboxLaunch

@Suite("What keyboards keep is counted beside the loop")
struct BackgroundWorkTests {
  /// Some process, which has few things open.
  private let process: RunningProgram

  init() throws { process = try Program("/bin/cat").start([]) }

  private func check(_ container: String) -> StorageCheck {
    let request = LaunchRequest(
      executable: "/bundle/keyboard", bundlePath: "/bundle", containerPath: container, files: [],
      program: BPFProgram([]),
      limits: ResourceLimits(
        data: 1, addressSpace: nil, fileSize: 1, openFiles: 1, processes: 1, temporaryFiles: 1,
        coreSize: 0, residentMemory: 1, containerQuota: 1 << 20))
    return StorageCheck(
      process: process.identifier, request: request, storedAtStart: 0, heldByOthers: 0)
  }

  @Test("it is asked for at once, and told in a later turn, each to who asked")
  func later() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    for name in ["little", "much"] { try Files.makeDirectory("\(root)/\(name)") }
    try Files.write(String(repeating: "x", count: 2 << 20), to: "\(root)/much/hoard", mode: 0o600)
    let loop = PollLoop()
    let work = try BackgroundWork(loop: loop)
    var found: [String: StorageCheck.Finding] = [:]
    for name in ["little", "much"] {
      try work.submit(check("\(root)/\(name)").all) { found[name] = $0 }
    }
    #expect(found.isEmpty)
    while found.count < 2 { try loop.run(milliseconds: 60_000) }
    #expect(found["little"]?.excess == nil)
    #expect(found["much"]?.excess == "it kept more than 1 MB in its container")
  }

  @Test("one that nobody comes to the end of holds up no other")
  func heldUp() throws {
    let loop = PollLoop()
    let work = try BackgroundWork(loop: loop)
    let pair = try LocalSocketPair()
    let end = pair.second.rawValue
    var found: [String] = []
    // It waits as a count does for a folder's lock, until it is let go.
    let heldUp: @Sendable () -> Int = {
      (try? FileDescriptor.read(from: end, upTo: 1))?.count ?? 0
    }
    let other: @Sendable () -> String = { "other" }
    try work.submit(heldUp) { found.append("held up \($0)") }
    try work.submit(other) { found.append($0) }
    while found.isEmpty { try loop.run(milliseconds: 60_000) }
    #expect(found == ["other"])
    _ = try pair.first.write([1])
    while found.count < 2 { try loop.run(milliseconds: 60_000) }
    #expect(found == ["other", "held up 1"])
  }

  @Test("one that takes too much of a processor to count is ended for it")
  func expensive() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    func finding(_ nanoseconds: UInt64) -> StorageCheck.Finding {
      var times: [UInt64] = [5, 5 + nanoseconds]
      return check(root).run { times.removeFirst() }
    }
    #expect(finding(StorageCheck.processorLimit).excess == nil)
    #expect(
      finding(StorageCheck.processorLimit + 1).excess
        == "what it keeps and holds open takes too long to count")
  }
}
