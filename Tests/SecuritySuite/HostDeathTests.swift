import Glibc
import SandboxSelftest
import TestSupport
import Testing

@Suite("No keyboard outlives its host", .serialized)
struct HostDeathTests {
  @Test("soon after the host is killed, no keyboard and no launcher of it is left")
  func killedHost() throws {
    // A host that has an attacker inside, which waits for nothing.
    let running = try Program(Products.keyhost).start(["selftest", "--only", "resources"])
    var inside: [Int32] = []
    for _ in 0..<2_000 where inside.isEmpty {
      usleep(10_000)
      inside = ProcessTree.descendants(of: running.identifier).filter(ProcessTree.isInside)
    }
    #expect(!inside.isEmpty)
    kill(running.identifier, SIGKILL)
    _ = running.finish()
    // The kernel kills them at once; on a machine that is busy with other tests, that takes its
    // time to be seen.
    for _ in 0..<30 where inside.contains(where: ProcessTree.isInside) { usleep(100_000) }
    for child in inside where ProcessTree.isInside(child) {
      Issue.record("\(child) is still there: \(ProcessTree.name(child) ?? "")")
    }
    Leftovers.remove()
  }
}

/// Processes, as /proc has them.
enum ProcessTree {
  /// The name of a process, or nil when there is none; one that another test has got meanwhile is
  /// none of ours. One that has ended and is not fetched yet has ended.
  static func name(_ process: Int32) -> String? {
    guard let status = try? Files.text("/proc/\(process)/status"),
      !status.contains("\nState:\tZ"), !status.contains("\nState:\tX")
    else { return nil }
    guard let text = try? Files.text("/proc/\(process)/comm") else { return nil }
    let name = text.split(separator: "\n").first.map(String.init) ?? ""
    return ["probe", "keyhost-launcher"].contains(name) ? name : nil
  }

  /// Whether it runs in a process namespace that is not the tests' own.
  static func isInside(_ process: Int32) -> Bool {
    guard let own = link("/proc/self/ns/pid"), let its = link("/proc/\(process)/ns/pid") else {
      return false
    }
    return own != its && name(process) != nil
  }

  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  static func descendants(of process: Int32) -> [Int32] {
    let all = ((try? Files.list("/proc")) ?? []).compactMap { Int32($0) }
    var parents: [Int32: Int32] = [:]
    for candidate in all {
      guard let text = try? Files.text("/proc/\(candidate)/stat"),
        let end = text.lastIndex(of: ")")
      else { continue }
      let fields = text[text.index(end, offsetBy: 2)...].split(separator: " ")
      parents[candidate] = Int32(fields[1])
    }
    return all.filter { candidate in
      var next = parents[candidate]
      while let parent = next {
        if parent == process { return name(candidate) != nil }
        next = parents[parent]
      }
      return false
    }
  }
}
