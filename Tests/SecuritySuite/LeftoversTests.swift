import Glibc
import TestSupport
import Testing

@Suite("A selftest that was killed leaves nothing for long", .serialized)
struct LeftoversTests {
  private static let place = "/tmp"

  private func folders(of process: pid_t) throws -> [String] {
    try Files.list(Self.place).filter { $0.hasPrefix("keyhost-selftest-\(process)-") }
      .map { "\(Self.place)/\($0)" }
  }

  /// The key of shared memory that a selftest has recorded and made.
  private func sharedMemory(of process: pid_t) throws -> String? {
    for folder in try folders(of: process) {
      for record in (try? Files.list("\(folder)/records")) ?? [] where record.hasPrefix("shm-") {
        let key = String(record.dropFirst(4))
        if try isThere(key) { return key }
      }
    }
    return nil
  }

  private func isThere(_ key: String) throws -> Bool {
    try Files.text("/proc/sysvipc/shm").split(separator: "\n").contains {
      $0.split(separator: " ").first.map(String.init) == key
    }
  }

  private struct NotCaught: Error {}

  /// A selftest that is stopped while it has shared memory.
  private func stopped() throws -> (RunningProgram, key: String) {
    for _ in 0..<20 {
      let running = try Program(Products.keyhost, deadline: 600).start(
        ["selftest", "--only", "others"])
      while running.isRunning {
        guard try sharedMemory(of: running.identifier) != nil else {
          usleep(500)
          continue
        }
        kill(running.identifier, SIGSTOP)
        usleep(10_000)
        if let key = try sharedMemory(of: running.identifier) { return (running, key) }
        kill(running.identifier, SIGCONT)
      }
    }
    throw NotCaught()
  }

  /// The processes that have a folder's path in their command line.
  private func processes(of folders: [String]) throws -> [String] {
    try Files.list("/proc").filter { name in
      guard Int(name) != nil, let line = try? Files.text("/proc/\(name)/cmdline") else {
        return false
      }
      return folders.contains { line.contains("\($0)/") }
    }
  }

  @Test("one that is ended by a signal leaves no folder, no process and no object")
  func ended() throws {
    let (running, key) = try stopped()
    let made = try folders(of: running.identifier)
    #expect(!made.isEmpty)
    kill(running.identifier, SIGTERM)
    kill(running.identifier, SIGCONT)
    #expect(running.finish().end == .signaled(SIGTERM))
    #expect(try folders(of: running.identifier).isEmpty)
    #expect(try !isThere(key))
    // The launchers end with it, which takes them a moment.
    for _ in 0..<600 where try !processes(of: made).isEmpty { usleep(50_000) }
    #expect(try processes(of: made).isEmpty)
  }

  @Test("the sound server of one is reached by the addresses that are tried, and ends with it")
  func soundServer() throws {
    let running = try Program(Products.keyhost, deadline: 600).start(
      ["selftest", "--only", "microphone"])
    var line: String?
    while line == nil, running.isRunning {
      let made = try folders(of: running.identifier)
      line = try processes(of: made).compactMap { try? Files.text("/proc/\($0)/cmdline") }
        .first { $0.hasPrefix("pulseaudio\0") }
      usleep(2_000)
    }
    running.signal(SIGTERM)
    let made = try folders(of: running.identifier)
    _ = running.finish()
    // Without one there is nothing to see.
    guard let line else { return }
    #expect(line.contains("listen=127.0.0.1 ") && !line.contains("listen=0.0.0.0"))
    #expect(try processes(of: made).isEmpty && folders(of: running.identifier).isEmpty)
  }

  @Test("the next one ends and removes what it left, and leaves alone what still runs")
  func killed() throws {
    let (dead, deadKey) = try stopped()
    let (alive, aliveKey) = try stopped()
    let deadFolders = try folders(of: dead.identifier)
    let aliveFolders = try folders(of: alive.identifier)
    #expect(!deadFolders.isEmpty && !aliveFolders.isEmpty)
    kill(dead.identifier, SIGKILL)
    _ = dead.finish()
    #expect(try isThere(deadKey))
    #expect(try folders(of: dead.identifier) == deadFolders)
    // A program of its own that is left, as a sound server would be.
    let folder = try #require(deadFolders.first)
    let left = try Program("\(folder)/Probe.appex/probe").start(["idle"])

    let next = try Program(Products.keyhost, deadline: 600).run("selftest", "--only", "terminal")
    #expect(next.exitCode == 0, "\(next)")
    #expect(try folders(of: dead.identifier) == [])
    #expect(try !isThere(deadKey))
    #expect(left.finish().end == .signaled(SIGKILL))
    #expect(try folders(of: alive.identifier) == aliveFolders)
    #expect(try isThere(aliveKey))

    kill(alive.identifier, SIGKILL)
    _ = alive.finish()
    _ = try Program(Products.keyhost, deadline: 600).run("selftest", "--only", "terminal")
    #expect(try folders(of: alive.identifier) == [])
    #expect(try !isThere(aliveKey))
  }
}
